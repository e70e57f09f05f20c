const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const blockingPackages = new Set(['better-sqlite3'])

/**
 * Refuses calls that block the event loop inside an async function, at any depth of nested callbacks: what is named `…Sync`, under an alias, too;
 * `Atomics.wait`; and every use of a package whose calls all block, which are not named so.
 */
export const noBlockingInAsync = {
  meta: {
    type: 'problem',
    docs: { description: 'Disallow calls that block the event loop inside async functions' },
    schema: [],
    messages: {
      sync: '{{ name }} blocks the event loop inside an async function. Use its asynchronous form, or move it into a worker.',
      package: '{{ name }} comes from {{ source }}, whose calls all block, and is used inside an async function. Move it into a worker.',
    },
  },
  create(context) {
    const aliases = new Map()
    const blocking = new Map()
    return {
      ImportDeclaration(node) {
        if (node.importKind === 'type') return
        for (const specifier of node.specifiers) {
          const imported = specifier.imported?.name ?? specifier.imported?.value
          if (blockingPackages.has(node.source.value)) blocking.set(specifier.local.name, node.source.value)
          else if (isSync(imported)) aliases.set(specifier.local.name, imported)
        }
      },
      VariableDeclarator(node) {
        if (node.id.type !== 'ObjectPattern') return
        for (const { key, value } of node.id.properties) if (isSync(key?.name) && value.type === 'Identifier') aliases.set(value.name, key.name)
      },
      CallExpression(node) {
        const name = blockingName(node.callee, aliases)
        if (name && isInsideAsync(node)) context.report({ node, messageId: 'sync', data: { name } })
        reportPackage(node)
      },
      NewExpression: reportPackage,
      ImportExpression(node) {
        const source = node.source.value
        if (blockingPackages.has(source) && isInsideAsync(node)) context.report({ node, messageId: 'package', data: { name: 'import()', source } })
      },
    }

    function reportPackage(node) {
      const root = rootOf(node.callee)
      const source = root && blocking.get(root)
      if (source && isInsideAsync(node)) context.report({ node, messageId: 'package', data: { name: root, source } })
    }
  },
}

function isSync(name) {
  return typeof name === 'string' && name.endsWith('Sync') && name !== 'Sync'
}

/** The name of a blocking function that is called, else `undefined`. */
function blockingName(callee, aliases) {
  if (callee.type === 'Identifier') return isSync(callee.name) ? callee.name : aliases.get(callee.name)
  if (callee.type !== 'MemberExpression') return undefined
  const property = callee.computed ? callee.property.value : callee.property.name
  if (isSync(property)) return property
  return property === 'wait' && callee.object.type === 'Identifier' && callee.object.name === 'Atomics' ? 'Atomics.wait' : undefined
}

function rootOf(node) {
  let root = node
  while (root.type === 'MemberExpression') root = root.object
  return root.type === 'Identifier' ? root.name : undefined
}

function isInsideAsync(node) {
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (functionTypes.has(parent.type) && parent.async) return true
  }
  return false
}
