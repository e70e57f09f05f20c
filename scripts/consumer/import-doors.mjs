import assert from 'node:assert/strict'

// Every door opens by `import`, and has something behind it.

const doors = process.argv.slice(2)
for (const door of doors) {
  const names = Object.keys(await import(door))
  assert(names.length > 0, `${door} exports nothing`)
  assert(!names.includes('default'), `${door} has a default export`)
}
console.log(`${doors.length} doors open by import`)
