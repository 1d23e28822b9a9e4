/* What may import what, as `npm run check` holds it. Type imports count, since a type is knowledge too. */
import districts from './generate/districts.json' with { type: 'json' }

const names = districts.map(({ name }) => name)
const later = names.flatMap((name, index) => {
  const after = names.slice(index + 1)
  if (after.length === 0) return []
  return {
    name: `order-${name}`,
    comment: `${name} does not know ${after.join(', ')} (generate/districts.json).`,
    severity: 'error',
    from: { path: `^src/${name}/` },
    to: { path: `^src/(${after.join('|')})/` },
  }
})

export default {
  forbidden: [
    ...later,
    {
      name: 'known-district',
      comment: 'A file outside of the districts: put it into one of them (generate/districts.json).',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/((${names.join('|')})/|main\\.ts$)` },
      to: {},
    },
    {
      name: 'across-by-name',
      comment:
        'What is imported from another district begins with `#`: an import that leaves the district is seen as such.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
    },
    {
      name: 'inside-by-path',
      comment: 'What is imported from the own district has a relative path.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/$1/', dependencyTypes: ['aliased-subpath-import'] },
    },
    {
      name: 'pure-rules',
      comment:
        'Rules and the kernel have no I/O, no clock, no library and no words of their own: headers of CSV are those of texts/.',
      severity: 'error',
      from: { path: '^src/([^/]+/rules|kernel)/' },
      to: { pathNot: '^(src/([^/]+/rules|kernel)|texts)/' },
    },
    {
      name: 'one-shape-of-a-write',
      comment: 'A transaction is opened by `write` (src/platform/core/write.ts) only.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/core/(write|database)\\.ts$' },
      to: { path: '^src/platform/core/transaction\\.ts$' },
    },
    {
      name: 'audit-and-events-by-write',
      comment: 'Audit rows and events are written by `write`: use `tx.audit` and `tx.emit`.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/core/' },
      to: { path: '^src/platform/core/audit\\.ts$' },
    },
    {
      name: 'routes-stay-inside',
      comment: 'Only the server registers the routes of a folder.',
      severity: 'error',
      from: { path: '^src/([^/]+/[^/]+)/', pathNot: '^src/apps/' },
      to: { path: 'routes\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'sdk-alone',
      comment: 'The SDK is a package of its own: it knows the service by openapi.json only.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: { path: '^(src|test|bench|generate)/' },
    },
    {
      name: 'sdk-without-node',
      comment: 'It also runs in browsers: modules of Node are imported where they are needed.',
      severity: 'error',
      from: { path: '^sdk/src/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-alone',
      comment: 'The console is a client of the public API: of the service it shares the kernel and the rules only.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src/(?!kernel/|[^/]+/rules/)|test|bench|generate)' },
    },
    {
      name: 'connectors-alone',
      comment: 'A connector is a program of its own: it knows the service by the SDK only.',
      severity: 'error',
      from: { path: '^connectors/' },
      to: { path: '^(src|sdk|test|bench|generate|console)/', pathNot: '^sdk/src/(index|operator)\\.ts$' },
    },
    { name: 'no-cycle-of-files', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-cycle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports too.
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
}
