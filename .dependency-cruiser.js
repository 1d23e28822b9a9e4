/*
 * The layers of src, from the bottom to the top, as `npm run check` holds them. A folder's layer is its place in this list; type imports
 * count, since a type is knowledge too.
 */
const layers = [
  ['domain'],
  ['texts'],
  ['core'],
  ['tables', 'pdf', 'embedded-postgres'],
  ['http'],
  // Entities: of one another they import no routes.
  [
    'audit',
    'auth',
    'benefits',
    'carriers',
    'channels',
    'claims',
    'clients',
    'closed-months',
    'closings',
    'companies',
    'continuations',
    'contracts',
    'contributions',
    'costs',
    'documents',
    'enrollments',
    'invoices',
    'layouts',
    'legal-holds',
    'members',
    'operators',
    'passkeys',
    'payroll',
    'people',
    'prices',
    'requests',
    'requirements',
    'sessions',
    'steps',
    'views',
    'webhooks',
  ],
  [
    'movements',
    'carrier-files',
    'erasures',
    'failed-steps',
    'imports',
    'layout-previews',
    'onboarding',
    'queue',
    'reconciliations',
    'retention',
    'search',
    'shipments',
    'statistics',
    'subject-requests',
  ],
  ['console', 'demo', 'docs', 'invariants'],
  // What runs: the files of src itself, without `main.ts`.
  ['[\\w-]+\\.ts'],
  ['cli'],
]

const pathOf = (folders) => `^src/(?!main)(${folders.join('|')})(/|$)`
const above = layers.map((folders, index) => ({
  name: `layer-${folders[0]}`,
  comment: `${folders.join(', ')}: import from their own layer and those below.`,
  severity: 'error',
  from: { path: pathOf(folders) },
  to: { path: pathOf(layers.slice(index + 1).flat()) },
}))

export default {
  forbidden: [
    ...above.filter(({ to }) => to.path !== '^src/(?!main)()(/|$)'),
    {
      name: 'known-folder',
      comment: 'A folder without a layer: put it into the list.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: pathOf(layers.flat()) },
      to: {},
    },
    {
      name: 'pure-domain',
      comment:
        'Rules of the domain have no I/O, no clock, no library and no words of their own: headers of CSV are those of texts/.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^(src/domain|texts)/' },
    },
    {
      name: 'one-shape-of-a-write',
      comment: 'A transaction is opened by `write` (src/core/write.ts) only.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/(write|database)\\.ts$' },
      to: { path: '^src/core/transaction\\.ts$' },
    },
    {
      name: 'audit-and-events-by-write',
      comment: 'Audit rows and events are written by `write`: use `tx.audit` and `tx.emit`.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/' },
      to: { path: '^src/core/audit\\.ts$' },
    },
    {
      name: 'routes-stay-inside',
      comment: 'Only the server (the files of src itself) registers the routes of an entity.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
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
      comment:
        'The console is a client of the public API: of the service it shares the rules of the domain and the texts only.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src/(?!domain/|texts/)|test|bench|generate)' },
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
