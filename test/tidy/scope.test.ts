import { expect, test } from 'vitest'
import { readStatements, statementsIn } from './statements.ts'
import { tenantTables, unscoped } from './tenancy.ts'

const operators = 'operators see every company'
const clock = 'the clock and the sweeper serve every company'
const upload = 'the signed address of the upload names the document; it has no company yet'
const exists = 'whether a CPF is known to anybody decides between 403 and 404, as the contract has it'

/** Statements that read tenants' tables beyond one scope, each with the uses that it may have and why. */
const beyond: Record<string, { readonly uses: string[]; readonly why: string }> = {
  'companies/queries.ts readAnyCompany': { uses: ['product p'], why: operators },
  'companies/queries.ts companiesFound': { uses: ['product p'], why: operators },
  'documents/queries.ts insertSlot': { uses: ['document new document'], why: upload },
  'documents/queries.ts readSlot': { uses: ['document d', 'document o'], why: upload },
  'documents/queries.ts fillSlot': { uses: ['document', 'document d'], why: upload },
  'documents/queries.ts deleteNeverUsed': { uses: ['document', 'document d'], why: clock },
  'documents/queries.ts listDocuments': { uses: ['document d', 'enrollment e'], why: operators },
  'documents/queries.ts readDocument': { uses: ['document d', 'enrollment e'], why: operators },
  'enrollments/due-work-queries.ts readDueScheduled': { uses: ['enrollment'], why: clock },
  'enrollments/due-work-queries.ts readBeginning': { uses: ['benefit n', 'benefit p', 'enrollment e'], why: clock },
  'enrollments/due-work-queries.ts readEnding': { uses: ['benefit b', 'benefit n'], why: clock },
  'enrollments/exclusion-queries.ts voidReplacements': {
    uses: ['benefit', 'benefit o'],
    why: 'the benefit that takes another’s place may be in another company; its ids come from the movement',
  },
  'enrollments/review-queries.ts readMovement': {
    uses: [
      'benefit b',
      'benefit o',
      'document k',
      'enrollment e',
      'enrollment_history s',
      'member f',
      'member m',
      'member q',
      'product p',
      'product x',
      'request r',
    ],
    why: operators,
  },
  'enrollments/queries.ts readEnrollmentForOperator': {
    uses: ['enrollment e', 'enrollment_history s', 'product p'],
    why: operators,
  },
  'enrollments/queue-queries.ts listEnrollmentQueue': {
    uses: ['enrollment e', 'enrollment_history s', 'product p'],
    why: operators,
  },
  'imports/roster-queries.ts readImportFacts': {
    uses: ['benefit b', 'benefit s', 'enrollment e', 'member m', 'member p', 'member_import_claim k', 'product p'],
    why: operators,
  },
  'imports/queries.ts finishImport': {
    uses: ['member_import_claim'],
    why: 'what one import noted, in whatever companies',
  },
  'enrollments/transition-queries.ts lockEnrollments': {
    uses: ['benefit n'],
    why: 'the benefit that takes another’s place may be in another company; it is found by the ids of a benefit of this one',
  },
  'webhooks/fan-out-queries.ts deleteDispatched': { uses: ['event', 'event v'], why: clock },
  'invoices/write-queries.ts readOwner': {
    uses: ['invoice_owner'],
    why: 'whose an invoice id is, which stands once in the whole service',
  },
  'invoices/write-queries.ts readNewlyOverdue': { uses: ['invoice'], why: clock },
  'benefits/queries.ts readBenefitForOperator': { uses: ['benefit b', 'member q', 'product p'], why: operators },
  'members/queries.ts listMembers': {
    uses: ['benefit b', 'member q', 'product p'],
    why: 'its fragments join entitlement with the client id',
  },
  'members/memberships-queries.ts readMemberships': { uses: ['member'], why: exists },
  'movements/alter/queries.ts readAlterationScope': { uses: ['member'], why: exists },
  'operator/benefits.ts end': { uses: ['benefit'], why: operators },
  'operator/enrollment-transitions.ts moveAll': { uses: ['enrollment'], why: operators },
}

const tenants = tenantTables()
// The invariants look at every company at once, by their nature; only the command on the machine itself runs them.
const statements = readStatements().filter(({ where }) => !where.startsWith('invariants/'))

/** What each function or constant uses without a scope. */
const found = new Map<string, string[]>()
for (const { where, text } of statements) {
  const uses = [...(found.get(where) ?? []), ...unscoped(text, tenants)]
  if (uses.length > 0) found.set(where, [...new Set(uses)].sort())
}

test('no statement reads a tenant’s table without a scope, but those listed here with their reason', () => {
  const faults = [...found]
    .map(([where, uses]) => ({ where, uses: uses.filter((use) => !beyond[where]?.uses.includes(use)) }))
    .filter(({ uses }) => uses.length > 0)
    .map(({ where, uses }) => `${where}: ${uses.join(', ')}`)
  expect(
    faults,
    'add `company_id = $n`, or a join to `entitlement` with the client’s id; a statement of the operators or the clock goes into the list above',
  ).toEqual([])
})

test('the list of exceptions names nothing that needs none', () => {
  const idle = Object.entries(beyond).flatMap(([where, { uses }]) =>
    uses.filter((use) => !found.get(where)?.includes(use)).map((use) => `${where}: ${use}`),
  )
  expect(idle, 'take it out of the list').toEqual([])
})

test('the statements are found, and the tables of tenants known', () => {
  expect(statements.length).toBeGreaterThan(100)
  expect(tenants).toEqual(
    expect.arrayContaining(['benefit', 'enrollment', 'inclusion_chunk', 'member', 'product', 'request']),
  )
})

test.for([
  ['a bare read', 'select id from member where tax_id = $1', ['member']],
  ['a company by parameter', 'select id from member where company_id = $1 and tax_id = $2', []],
  [
    'an alias without one',
    'select b.id from member m join benefit b on b.member_id = m.id where m.company_id = $1',
    ['benefit b'],
  ],
  [
    'an alias tied to another',
    'select b.id from member m join benefit b on b.company_id = m.company_id where m.company_id = $1',
    [],
  ],
  [
    'a join to the entitlements of the client',
    'select m.id from entitlement t join member m on m.company_id = t.company_id where t.client_id = $1',
    [],
  ],
  [
    'an entitlement of nobody',
    'select m.id from entitlement t join member m on m.company_id = t.company_id',
    ['member m'],
  ],
  ['a delete', 'delete from benefit where id = any($1)', ['benefit']],
  ['an update of another', 'update benefit b set status = $1 from request r where r.company_id = $2', ['benefit b']],
  ['an insert without a company', 'insert into member (id) select $1', ['member new member']],
] as const)('the rule sees %s', ([, text, uses]) => {
  expect(unscoped(text, tenants)).toEqual(uses)
})

test('a statement put together from pieces is read whole', () => {
  const code = [
    'const joined = `join benefit b on b.company_id = m.company_id`',
    'const asked = `select 1 from member m ${joined} where m.company_id = $1 -- why`',
    "export function other() { return sql.rows('select 1 from benefit') }",
  ].join('\n')
  expect(statementsIn([{ file: 'x.ts', code }])).toEqual([
    {
      where: 'x.ts asked',
      text: 'select 1 from member m join benefit b on b.company_id = m.company_id where m.company_id = $1',
    },
    { where: 'x.ts other', text: 'select 1 from benefit' },
  ])
})
