const assert = require('node:assert/strict')

// Every door opens by `require`, and leads to the same module as `import` does.

async function main() {
  const doors = process.argv.slice(2)
  for (const door of doors) assert.equal(Object.values(require(door))[0], Object.values(await import(door))[0], `${door} is there twice`)
  console.log(`${doors.length} doors open by require`)
}

void main()
