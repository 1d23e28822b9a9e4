import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../../database.ts'

/** One chunk of an accepted inclusion: a bounded step of the worker. */
export interface Chunk {
  readonly companyId: string
  readonly requestId: string
  readonly chunk: number
}

export interface RequestState {
  readonly resolution: 'approve' | 'reject' | null
  /** Number of the next chunk to process; null when none is left. */
  readonly chunk: number | null
  readonly entries: number
  readonly left: number
}

/** What is left to do of a request. */
export async function readProgress(sql: Sql, companyId: string, requestId: string): Promise<RequestState | null> {
  const rows = await sql.rows<RequestState>(
    `select r.resolution, c.chunk, coalesce(json_array_length(c.entries), 0) as entries,
       (select count(*) from inclusion_chunk h where h.company_id = $1 and h.request_id = $2)::int as left
     from request r
     left join lateral (select chunk, entries from inclusion_chunk h
       where h.company_id = $1 and h.request_id = $2 order by chunk limit 1) c on true
     where r.company_id = $1 and r.id = $2 and r.status = 'processing'`,
    [companyId, requestId],
  )
  return rows[0] ?? null
}

const membersOf = `json_to_recordset(h.members) as m(n integer, "tax-id" bpchar, "member-id" uuid, data jsonb, documents jsonb)`
const entriesOf = `json_to_recordset(h.entries) as e(n integer, "enrollment-id" uuid, "benefit-id" uuid, "product-id" uuid,
  "product-name" text, type text, "primary-member-tax-id" bpchar, "dependent-type" text, "start-option" text, "start-date" date,
  "scheduled-action-date" date, "scheduled-reason" text)`

/** Makes the members of the chunk whom the company does not know yet. @returns their ids. */
export async function insertMembers(sql: Sql, { companyId, requestId, chunk }: Chunk, at: Date): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select distinct on (m."tax-id") $1::uuid, m."member-id", m."tax-id", m.data->>'name', m.data->>'mothers-name',
       (m.data->>'date-of-birth')::date, m.data->>'gender', m.data->>'marital-status', (m.data->>'admission-date')::date,
       m.data->>'employee-id', m.data->>'cost-center', (m.data->>'salary')::bigint,
       m.data - array['name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status', 'admission-date', 'employee-id',
         'cost-center', 'salary'], $4::timestamptz, $4::timestamptz
     from inclusion_chunk h cross join lateral ${membersOf}
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     order by m."tax-id", m.n
     on conflict do nothing
     returning id`,
    [companyId, requestId, chunk, at],
  )
  return rows.map((row) => row.id)
}

/** Holds the rows of the chunk's people, so that none is removed with a rejected inclusion while a new one is made. */
export async function lockMembers(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<void> {
  await sql.run(
    `select x.id from member x where x.company_id = $1 and x.tax_id in (
       select m."tax-id" from inclusion_chunk h cross join lateral ${membersOf}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3)
     order by x.id for key share`,
    [companyId, requestId, chunk],
  )
}

/**
 * People of the chunk without a row although each was inserted: their id is taken by somebody whose CPF was corrected, so
 * they get the next one of the keyed hash.
 */
export async function readUnplaced(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.rows<{ taxId: string }>(
    `select distinct m."tax-id" as "taxId" from inclusion_chunk h cross join lateral ${membersOf}
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
       and not exists (select 1 from member x where x.company_id = $1 and x.tax_id = m."tax-id")`,
    [companyId, requestId, chunk],
  )
  return rows.map((row) => row.taxId)
}

/** Gives people of the chunk another id than the one that they came with. */
export async function renameMembers(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  ids: readonly { 'tax-id': string; 'member-id': string }[],
): Promise<void> {
  await sql.run(
    `update inclusion_chunk h set members = (
       select json_agg(json_build_object('n', m.n, 'tax-id', m."tax-id", 'member-id', coalesce(i."member-id", m."member-id"),
         'data', m.data, 'documents', m.documents) order by m.n)
       from ${membersOf} left join json_to_recordset($4::json) as i("tax-id" bpchar, "member-id" uuid) on i."tax-id" = m."tax-id")
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3`,
    [companyId, requestId, chunk, JSON.stringify(ids)],
  )
}

/** Holds the primaries' benefits that the chunk's dependents build on, so that none ends while they join. */
export async function lockPrimaries(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<void> {
  await sql.run(
    `select b.id from benefit b where b.company_id = $1 and b.type = 'primary' and b.status in ('pending', 'active')
       and (b.member_id, b.product_id) in (
         select p.id, e."product-id" from inclusion_chunk h cross join lateral ${entriesOf}
         join member p on p.company_id = $1 and p.tax_id = e."primary-member-tax-id"
         where h.company_id = $1 and h.request_id = $2 and h.chunk = $3)
     order by b.id for share`,
    [companyId, requestId, chunk],
  )
}

/**
 * Turns the chunk's entries of one role into benefits, enrollments and events. An entry whose benefit exists already, or
 * whose primary has none, becomes nothing here: see `readFailures`. Primaries go first, dependents see them then.
 * @param newMemberIds members made by this step; the profile of anybody else changes when the inclusion completes.
 * @returns how many became enrollments.
 */
export async function insertEnrollments(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  role: 'primary' | 'dependent',
  options: { readonly at: Date; readonly newMemberIds: readonly string[]; readonly entries: number },
): Promise<number> {
  const eventIds = Array.from({ length: options.entries }, () => uuidv7())
  const [row] = await sql.rows<{ made: number }>(
    `with member_row as materialized (
       select m.* from inclusion_chunk h cross join lateral ${membersOf}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     ), entry_row as materialized (
       select e.* from inclusion_chunk h cross join lateral ${entriesOf}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3 and e.type = $4
     ), fit as materialized (
       select e.*, x.id as member_id, p.id as primary_member_id, m."tax-id" as tax_id, m.data, m.documents
       from entry_row e
       join member_row m on m.n = e.n
       join member x on x.company_id = $1 and x.tax_id = m."tax-id"
       left join member p on p.company_id = $1 and p.tax_id = e."primary-member-tax-id"
       where e.type = 'primary' or exists (select 1 from benefit b where b.company_id = $1 and b.member_id = p.id
         and b.product_id = e."product-id" and b.type = 'primary' and b.status in ('pending', 'active'))
     ), begun as (
       insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
         created_at, updated_at)
       select $1::uuid, f."benefit-id", f.member_id, f."product-id", f.type, f.primary_member_id, f."dependent-type", 'pending',
         f."start-date", $5::timestamptz, $5::timestamptz
       from fit f
       on conflict do nothing
       returning id
     ), made as (
       insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
         primary_member_id, product_id, product_name, benefit_id, scheduled_action_date, scheduled_reason, data, initial_status,
         updates_profile, created_at, updated_at)
       select $1::uuid, f."enrollment-id", $2::uuid, 'inclusion', s.status, f.member_id, f.tax_id, f.type, f.primary_member_id,
         f."product-id", f."product-name", f."benefit-id", f."scheduled-action-date", f."scheduled-reason",
         f.data || jsonb_build_object('documents', f.documents), s.status, not f.member_id = any($6::uuid[]),
         $5::timestamptz, $5::timestamptz
       from begun b
       join fit f on f."benefit-id" = b.id
       cross join lateral (select case when f."scheduled-reason" = 'future-admission-date' then 'scheduled' else 'created' end) s(status)
       returning id, status
     ), told as (
       insert into event (company_id, id, type, at, data)
       select $1::uuid, i.id, 'enrollment.created', $5::timestamptz,
         jsonb_build_object('company-id', $1::uuid, 'request-id', $2::uuid, 'enrollment-id', n.id, 'status', n.status)
       from (select m.id, m.status, row_number() over () as place from made m) n
       join unnest($7::uuid[]) with ordinality as i(id, place) on i.place = n.place
     )
     select count(*)::int as made from made`,
    [companyId, requestId, chunk, role, options.at, options.newMemberIds, eventIds],
  )
  return row?.made ?? 0
}

export interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
  readonly offenses: string[]
  /** The primary stands in another request that is still processing: this chunk waits for it. */
  readonly waits: boolean
}

/** Why entries of the chunk did not become enrollments: the facts changed since the request was accepted. */
export async function readFailures(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<Failure[]> {
  return sql.rows<Failure>(
    `select m."tax-id", e."product-name", x.waits,
       case when b.status = 'active' then array['already-enrolled']
            when b.status = 'pending' then array['ongoing-enrollment']
            else array['primary-member-not-enrolled-in-product'] end as offenses
     from inclusion_chunk h
     cross join lateral ${membersOf}
     join lateral ${entriesOf} on e.n = m.n
     left join member p on p.company_id = $1 and p.tax_id = m."tax-id"
     left join benefit b on b.company_id = $1 and b.member_id = p.id and b.product_id = e."product-id" and b.type = e.type
       and b.status in ('pending', 'active')
     cross join lateral (select b.id is null and e.type = 'dependent' and exists (
       select 1 from inclusion_chunk o
       join request r on r.company_id = $1 and r.id = o.request_id
       join request mine on mine.company_id = $1 and mine.id = $2
       cross join lateral json_to_recordset(o.members) as om(n integer, "tax-id" bpchar)
       join lateral json_to_recordset(o.entries) as oe(n integer, type text, "product-id" uuid) on oe.n = om.n
       where o.company_id = $1 and o.request_id <> $2 and (r.created_at, r.id) < (mine.created_at, mine.id)
         and oe.type = 'primary' and oe."product-id" = e."product-id" and om."tax-id" = e."primary-member-tax-id") as waits) x
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
       and not exists (select 1 from enrollment n where n.company_id = $1 and n.id = e."enrollment-id")
     order by m.n`,
    [companyId, requestId, chunk],
  )
}

/** Ids of the enrollments that the chunk became. */
export async function readMade(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(
    `select n.id from inclusion_chunk h cross join lateral ${entriesOf}
     join enrollment n on n.company_id = $1 and n.id = e."enrollment-id"
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3`,
    [companyId, requestId, chunk],
  )
  return rows.map((row) => row.id)
}

/** Ids of the people whom the chunk names, as the company knows them now. */
export async function readMemberIds(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(
    `select distinct p.id from inclusion_chunk h cross join lateral ${membersOf}
     join member p on p.company_id = $1 and p.tax_id = m."tax-id"
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3`,
    [companyId, requestId, chunk],
  )
  return rows.map((row) => row.id)
}

/** Ends the chunk: what failed stands on the request, the people's data is gone from here. */
export async function endChunk(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  failures: readonly Failure[],
): Promise<void> {
  if (failures.length > 0) {
    const kept = failures.map(({ waits: _waits, ...failure }) => failure)
    await sql.run('update request set failures = failures || $3::jsonb where company_id = $1 and id = $2', [
      companyId,
      requestId,
      JSON.stringify(kept),
    ])
  }
  await sql.run('delete from inclusion_chunk where company_id = $1 and request_id = $2 and chunk = $3', [
    companyId,
    requestId,
    chunk,
  ])
}

/** Ends the request, once: `completed`, `partial-failure` or `failed` by what its parts became. @returns the status. */
export async function finishRequest(sql: Sql, companyId: string, requestId: string, at: Date): Promise<string | null> {
  const rows = await sql.rows<{ status: string }>(
    `update request r set parts = null, finished_at = $3, status = case
         when r.failures = '[]'::jsonb then 'completed'
         when exists (select 1 from enrollment e where e.company_id = $1 and e.request_id = $2) then 'partial-failure'
         else 'failed' end
     where r.company_id = $1 and r.id = $2 and r.status = 'processing'
     returning r.status`,
    [companyId, requestId, at],
  )
  return rows[0]?.status ?? null
}
