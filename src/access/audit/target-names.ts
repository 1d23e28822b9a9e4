import type { Sql } from '#platform/core/database.ts'

/** What can name the object of an audit row. */
interface NamedRow {
  readonly action: string
  readonly target: string
}

const ofBenefit = (table: string) => `select ${table}.id::text as id, member.name from ${table}
  join benefit on benefit.company_id = ${table}.company_id and benefit.id = ${table}.benefit_id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  where ${table}.id = any($1::uuid[])`

const ofClient = 'select id, name from client where id = any($1::text[])'
const ofEnrollment = `select enrollment.id::text as id, coalesce(member.name, enrollment.data->>'name') as name from enrollment
  left join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id
  where enrollment.id = any($1::uuid[])`
const ofContract = `select contract.id::text as id, carrier.name || ' · ' || contract.contract_number as name from contract
  join carrier on carrier.id = contract.carrier_id where contract.id = any($1::uuid[])`
const ofRequest = 'select id::text as id, reference as name from request where id = any($1::uuid[])'

/** The statement (id, name) of the objects of a kind, by the first part of the action. Of other kinds the id is all there is. */
const statements: ReadonlyMap<string, string> = new Map([
  ['inclusion', ofRequest],
  ['exclusion', ofRequest],
  ['alteration', ofRequest],
  ['enrollment', ofEnrollment],
  ['enrollment-data', ofEnrollment],
  ['deadline', ofEnrollment],
  [
    'benefit',
    `select benefit.id::text as id, member.name from benefit
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id where benefit.id = any($1::uuid[])`,
  ],
  ['member', 'select id::text as id, max(name) as name from member where id = any($1::uuid[]) group by id'],
  ['company', 'select id::text as id, name from company where id = any($1::uuid[])'],
  ['carrier', 'select id::text as id, name from carrier where id = any($1::uuid[])'],
  ['contract', ofContract],
  ['contract-channel', ofContract],
  ['layout', 'select distinct on (id) id, name from layout where id = any($1::text[]) order by id, version desc'],
  [
    'shipment',
    `select shipment.id::text as id, carrier.name || ' · ' || shipment.number as name from shipment
     join contract on contract.company_id = shipment.company_id and contract.id = shipment.contract_id
     join carrier on carrier.id = contract.carrier_id where shipment.id = any($1::uuid[])`,
  ],
  ['requirement-rule', 'select id::text as id, name from requirement_rule where id = any($1::uuid[])'],
  ['draft-exclusion', ofBenefit('draft_exclusion')],
  ['continuation', ofBenefit('continuation')],
  ['client', ofClient],
  ['entitlement', ofClient],
  ['operator', ofClient],
  ['person', ofClient],
  [
    'session',
    `select operator_session.id::text as id, client.name from operator_session join client on client.id = operator_session.client_id
     where operator_session.id = any($1::uuid[])`,
  ],
  [
    'webhook-endpoint',
    `select id::text as id, regexp_replace(url, '\\?.*', '') as name from webhook_endpoint where id = any($1::uuid[])`,
  ],
])

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const kindOf = ({ action }: NamedRow) => action.split('.')[0] ?? ''

/** The names of the objects of audit rows, by kind and id; of an object that is gone there is none. */
export async function readTargetNames(sql: Sql, rows: readonly NamedRow[]): Promise<(row: NamedRow) => string | null> {
  const names = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(rows, kindOf)) {
    const statement = statements.get(kind)
    if (statement === undefined) continue
    const targets = ofKind.map(({ target }) => target)
    const ids = statement.includes('uuid[]') ? targets.filter((target) => uuid.test(target)) : targets
    const found = ids.length === 0 ? [] : await sql.query<{ id: string; name: string | null }>(statement, [ids])
    for (const { id, name } of found) if (name !== null) names.set(`${kind} ${id}`, name)
  }
  return (row) => names.get(`${kindOf(row)} ${row.target}`) ?? null
}
