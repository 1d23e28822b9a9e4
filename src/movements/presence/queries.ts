import type { Sql } from '#platform/core/database.ts'

/** A movement counts as open for so long after the console last said so: two of its calls may be lost. */
const keptSeconds = 60
const MAX_PRESENT = 500

const oldest = `statement_timestamp() - interval '${keptSeconds} seconds'`

/** An operator who has a movement open, in wire keys. */
export interface Present {
  readonly 'client-id': string
  readonly name: string
}

/** SQL: the operators who are seen, but for one. @param operator SQL of the client id of that one. */
const others = (operator: string) => `from enrollment_presence presence join client on client.id = presence.operator_id
  where presence.seen_at > ${oldest} and client.revoked_at is null and client.id <> ${operator}`

/** Stores that the operator has the movement open, now. */
export async function putPresence(
  sql: Sql,
  companyId: string,
  enrollmentId: string,
  operatorId: string,
): Promise<void> {
  await sql.execute(
    `insert into enrollment_presence (company_id, enrollment_id, operator_id, seen_at) values ($1, $2, $3, statement_timestamp())
     on conflict (company_id, enrollment_id, operator_id) do update set seen_at = excluded.seen_at`,
    [companyId, enrollmentId, operatorId],
  )
}

/** Stores that the operator has left the movement. */
export async function deletePresence(
  sql: Sql,
  companyId: string,
  enrollmentId: string,
  operatorId: string,
): Promise<void> {
  await sql.execute(
    'delete from enrollment_presence where company_id = $1 and enrollment_id = $2 and operator_id = $3',
    [companyId, enrollmentId, operatorId],
  )
}

/** The other operators who have the movement open, by name. */
export async function readOthers(
  sql: Sql,
  companyId: string,
  enrollmentId: string,
  operatorId: string,
): Promise<Present[]> {
  return sql.query<Present>(
    `select client.id as "client-id", client.name ${others('$3')} and presence.company_id = $1 and presence.enrollment_id = $2
     order by client.name, client.id`,
    [companyId, enrollmentId, operatorId],
  )
}

/** The movements that other operators have open. */
export async function listOpened(
  sql: Sql,
  operatorId: string,
): Promise<(Present & { readonly 'enrollment-id': string })[]> {
  return sql.query(
    `select presence.enrollment_id as "enrollment-id", client.id as "client-id", client.name ${others('$1')}
     order by client.name, client.id, presence.seen_at desc limit ${MAX_PRESENT}`,
    [operatorId],
  )
}

/** Deletes the rows that count no more. */
export async function deleteFormerPresence(sql: Sql): Promise<void> {
  await sql.execute(`delete from enrollment_presence where seen_at <= ${oldest}`)
}
