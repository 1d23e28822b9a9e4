import { daysOf, filters } from '#platform/http/filters.ts'
import { route } from '#platform/http/route.ts'
import { type Static, Type } from 'typebox'
import { readTargetNames } from './target-names.ts'
import { FINDING_KINDS } from './hash-chain.ts'
import { verifyAudit } from './verify.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { readDateRange, startOfDay } from '#platform/http/date-range.ts'
import { PageOf } from '#platform/http/page.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import {
  Closed,
  Cnpj,
  errorResponses,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'

const exact = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, pattern: '^[^\\u0000]+$', description }))

const AuditQuery = Closed({
  id: Type.Optional({ ...Uuid, description: 'The id of the row.' }),
  at: Type.Optional({
    ...Timestamp,
    description: 'The `at` of the row, in the same format (UTC, milliseconds).',
  }),
  actor: exact('A client id, or `service`, `clock`, `resolution`.'),
  action: exact('Such as `client.created`.'),
  target: exact('The id of an object that was written, or whose data were disclosed.'),
  'company-tax-id': filters.company,
  address: exact('The address of the caller.'),
  'request-trace-id': exact('The `X-Request-Id` of the response.'),
  ...daysOf('at'),
  ...pageQuery,
})

/** A page of the audit rows, newest first. */
const auditPage = pages<Static<typeof AuditQuery>>({
  from: 'audit left join company on company.id = audit.company_id',
  item: `json_build_object('id', audit.id, 'at', iso(audit.at), 'actor', audit.actor, 'action', audit.action, 'target', audit.target,
    'company-tax-id', company.tax_id, 'company-name', company.name, 'address', audit.address, 'request-trace-id', audit.request_trace_id)`,
  order: 'audit.at desc, audit.id desc',
  where: {
    id: equals('audit.id'),
    // In milliseconds, as the API shows it; the column has microseconds.
    at: (at) => `audit.at >= ${at}::timestamptz and audit.at < ${at}::timestamptz + interval '1 millisecond'`,
    actor: equals('audit.actor'),
    action: equals('audit.action'),
    // One of the ids of the target.
    target: (id) => `(audit.target = ${id} or ${id} = any(string_to_array(audit.target, ' ')))`,
    'company-tax-id': equals('company.tax_id'),
    address: equals('audit.address'),
    'request-trace-id': equals('audit.request_trace_id'),
    'from-dt': (day) => `audit.at >= ${startOfDay(`${day}::date`)}`,
    'until-dt': (day) => `audit.at < ${startOfDay(`${day}::date + 1`)}`,
  },
})

const AuditItem = Named(
  'AuditRow',
  Type.Object({
    id: Uuid,
    at: Timestamp,
    actor: Type.String(),
    action: Type.String(),
    target: Type.String({
      description: 'The id of the object; of a disclosure the ids of all members, with spaces between.',
    }),
    'target-name': Nullable(Type.String({ description: 'The name of the object now; null: it has none, or is gone.' })),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Type.String()),
    address: Nullable(Type.String()),
    'request-trace-id': Nullable(Type.String()),
  }),
)

const maxFindings = 100

const Verification = Named(
  'AuditVerification',
  Type.Object({
    intact: Type.Boolean({ description: 'Whether there is no finding.' }),
    rows: Type.Integer({ description: 'Rows in blocks.' }),
    blocks: Type.Integer(),
    pending: Type.Integer({ description: 'Rows that are in no block yet: a change of them is not found.' }),
    head: Nullable(
      Type.String({
        description: 'The hash of the last block: store it elsewhere for `expected-head`. Null before the first block.',
      }),
    ),
    findings: Type.Array(
      Type.Object({
        kind: OneOf(FINDING_KINDS),
        row: Type.Optional({ ...Uuid, description: 'The id of the audit row.' }),
        block: Type.Optional(Type.Integer({ description: 'The position of the block.' })),
        until: Type.Optional(
          Type.Integer({ description: 'With `block-removed`: the position of the last missing block.' }),
        ),
      }),
      { maxItems: maxFindings, description: `The first ${maxFindings}.` },
    ),
  }),
)

const head = '9f4c0b7e5d0c6a1f7f0e2f7c9d3b1a86e4b5c2d1908f7e6d5c4b3a2918f7e6d5'

/** `/operator/v1/audit`: the audit rows and their verification. */
export async function auditRoutes(app: App, context: Context): Promise<void> {
  listRoute(app, context)
  verificationRoute(app, context)
}

function listRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/audit',
    api: 'operator',
    roles: ['auditor'],
    schema: {
      operationId: 'listAudit',
      'x-sdk': 'audit.list',
      'x-cli': {
        command: 'audit list',
        examples: {
          'audit list --limit 20': 'the last writes',
          'audit list --actor demo-operator --from 2026-11-01': 'what one client wrote since that day',
        },
        columns: {
          AT: 'at',
          ACTOR: 'actor',
          ACTION: 'action',
          TARGET: 'target',
          'COMPANY-TAX-ID': 'company-tax-id',
          ADDRESS: 'address',
        },
      },
      summary: 'List the audit rows',
      description:
        'One for each successful write through both APIs, newest first. Filters compare exactly and are combined with AND.',
      querystring: AuditQuery,
      response: { 200: PageOf(AuditItem), ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      readDateRange(query)
      const page = await auditPage(database, query)
      const rows = JSON.parse(page.items) as { readonly action: string; readonly target: string }[]
      const nameOf = await readTargetNames(database, rows)
      const items = JSON.stringify(rows.map((row) => ({ ...row, 'target-name': nameOf(row) })))
      return sendJson(reply, listBody({ ...page, items }, query))
    },
  })
}

function verificationRoute(app: App, { config, database, auditKey }: Context): void {
  // It reads the whole audit.
  const running = new ConcurrencyLimit({ max: 1, maxWaitMs: config.limits.maxWaitMs })
  route(app, {
    method: 'GET',
    url: '/operator/v1/audit/verification',
    api: 'operator',
    roles: ['auditor'],
    schema: {
      operationId: 'verifyAuditChain',
      'x-sdk': 'audit.verify',
      'x-cli': {
        command: 'audit check',
        options: { 'expected-head': 'expect' },
        examples: { 'audit check': 'for those who have no access to the database' },
      },
      summary: 'Verify the audit',
      description:
        'Checks every row against the hash chain, in one snapshot; it takes longer the more rows there are. Each process runs one check at a ' +
        'time: another call waits, and gets 503 `too-many-calls` after 30 seconds.',
      querystring: Closed({
        'expected-head': Type.Optional(
          Type.String({
            pattern: '^[0-9a-fA-F]{64}$',
            description: 'A `head` of an earlier verification, which the chain must hold.',
            examples: [head],
          }),
        ),
      }),
      response: {
        200: Type.Object({ result: Verification }),
      },
    },
    handler: async (request) => {
      const expected = request.query['expected-head']?.toLowerCase() ?? null
      const verification = await running.run(callerOf(request).clientId, () =>
        database.snapshot((sql) => verifyAudit(sql, auditKey, expected, maxFindings)),
      )
      return { result: { ...verification, findings: [...verification.findings] } }
    },
  })
}
