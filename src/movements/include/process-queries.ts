import type { Sql } from '../../platform/database.ts'
import { batchOf, insertBatch } from '../../webhooks/outbox.ts'
import type { FinishedRequestStatus } from '../../domain/enums.ts'
import { idsInOrder } from '../../platform/uuid.ts'
import { entriesOf, membersOf } from './decode-chunk.ts'

/** One chunk of an accepted inclusion: a bounded step of the worker. */
export interface Chunk {
  readonly companyId: string
  readonly requestId: string
  readonly chunk: number
}

export interface RequestStatusValue {
  readonly resolution: 'approve' | 'reject' | null
  /** The next chunk to process; null when none is left. */
  readonly next: { chunk: number; people: number; known: number; primaries: number; dependents: number } | null
  /** Chunks left, the next one included. */
  readonly left: number
  /** Whether other requests of the company are being processed. */
  readonly others: boolean
}

/** What is left to do of a request; null when it is finished. */
export async function readProgress(sql: Sql, companyId: string, requestId: string): Promise<RequestStatusValue | null> {
  const rows = await sql.rows<RequestStatusValue>(
    `select r.resolution,
       (select json_build_object('chunk', h.chunk, 'people', h.people, 'known', h.known,
          'primaries', h.primaries, 'dependents', h.dependents)
        from inclusion_chunk h where h.company_id = $1 and h.request_id = $2 order by h.chunk limit 1) as next,
       (select count(*) from inclusion_chunk h where h.company_id = $1 and h.request_id = $2)::int as left,
       exists (select 1 from inclusion_chunk o where o.company_id = $1 and o.request_id <> $2) as others
     from request r
     where r.company_id = $1 and r.id = $2 and r.status = 'processing'`,
    [companyId, requestId],
  )
  return rows[0] ?? null
}

/** A member's columns out of what was sent of them, from `name` to `details`. */
export const profileOf = `m.data->>'name', m.data->>'mothers-name', (m.data->>'date-of-birth')::date, m.data->>'gender',
  m.data->>'marital-status', (m.data->>'admission-date')::date, m.data->>'employee-id', m.data->>'cost-center',
  (m.data->>'salary')::bigint, m.data - array['name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status',
    'admission-date', 'employee-id', 'cost-center', 'salary', 'documents']`

/** What an enrollment keeps of what was sent. */
export const enrollmentData = `'{"documents": []}'::jsonb || m.data`

/**
 * Holds the rows of the chunk's people whom the company knows, so that none is removed with a rejected inclusion meanwhile.
 * @returns their ids.
 */
export async function lockMembers(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.planned<{ id: string }>(
    `with person as materialized (
       select distinct e."tax-id" as tax_id from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3)
     select m.id from person p join member m on m.company_id = $1 and m.tax_id = p.tax_id
     order by m.id for key share of m`,
    [companyId, requestId, chunk],
  )
  return rows.map((row) => row.id)
}

/** Makes the members of the chunk whom the company does not know yet. @returns their ids. */
export async function insertMembers(sql: Sql, { companyId, requestId, chunk }: Chunk, at: Date): Promise<string[]> {
  const rows = await sql.planned<{ id: string }>(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select distinct on (m."tax-id") $1::uuid, m."member-id", m."tax-id", ${profileOf}, $4::timestamptz, $4::timestamptz
     from inclusion_chunk h cross join lateral ${membersOf('h', 'm')}
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     order by m."tax-id", m.n
     on conflict do nothing
     returning id`,
    [companyId, requestId, chunk, at],
  )
  return rows.map((row) => row.id)
}

/** People of the chunk without a row: removed meanwhile, or their id is taken by somebody whose CPF was corrected. */
export async function readUnplaced(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.planned<{ taxId: string }>(
    `select distinct e."tax-id" as "taxId" from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
       and not exists (select 1 from member x where x.company_id = $1 and x.tax_id = e."tax-id")`,
    [companyId, requestId, chunk],
  )
  return rows.map((row) => row.taxId)
}

/** Gives people of the chunk another id than the one that they came with. */
export async function reassignIds(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  ids: readonly { 'tax-id': string; 'member-id': string }[],
): Promise<void> {
  await sql.run(
    `update inclusion_chunk h set members = (
       select convert_to(json_build_object('n', json_agg(m.n), 'tax-id', json_agg(m."tax-id"),
         'member-id', json_agg(coalesce(i."member-id", m."member-id")), 'data', json_agg(m.data))::text, 'UTF8')
       from ${membersOf('h', 'm')}
       left join json_to_recordset($4::json) as i("tax-id" bpchar, "member-id" uuid) on i."tax-id" = m."tax-id")
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3`,
    [companyId, requestId, chunk, JSON.stringify(ids)],
  )
}

/** Holds the primaries' benefits that the chunk's dependents build on, so that none ends while they join. */
export async function lockPrimaries(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<void> {
  await sql.planned(
    `with named as materialized (
       select distinct e."primary-member-tax-id" as tax_id, e."product-id" as product_id
       from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3 and e.type = 'dependent')
     select b.id from benefit b where b.company_id = $1 and b.id = any(array(
       select b.id from named n
       cross join lateral (select p.id from member p where p.company_id = $1 and p.tax_id = n.tax_id limit 1) p
       cross join lateral (select b.id from benefit b where b.company_id = $1 and b.member_id = p.id
         and b.product_id = n.product_id and b.type = 'primary' and b.status in ('pending', 'active') limit 1) b))
       and b.status in ('pending', 'active')
     order by b.id for share of b`,
    [companyId, requestId, chunk],
  )
}

/**
 * Begins the benefits of the chunk's entries of one role. None begins where one is in force already, nor for a dependent
 * whose primary has none of the product: see `readFailures`. Primaries go first, dependents see them then.
 * @returns how many begin.
 */
export async function insertBenefits(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  role: 'primary' | 'dependent',
  at: Date,
): Promise<number> {
  const primary =
    role === 'primary'
      ? ''
      : `cross join lateral (select p.id from member p where p.company_id = $1 and p.tax_id = e."primary-member-tax-id" limit 1) p
         cross join lateral (select 1 from benefit pb where pb.company_id = $1 and pb.member_id = p.id
           and pb.product_id = e."product-id" and pb.type = 'primary' and pb.status in ('pending', 'active') limit 1) pb`
  const [row] = await sql.planned<{ begun: number }>(
    `with entry as materialized (
       select e.* from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3 and e.type = $4
     ), begun as (
       insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
         created_at, updated_at)
       select $1::uuid, e."benefit-id", m.id, e."product-id", e.type, ${role === 'primary' ? 'null' : 'p.id'},
         e."dependent-type", 'pending', e."start-date", $5::timestamptz, $5::timestamptz
       from entry e
       cross join lateral (select m.id from member m where m.company_id = $1 and m.tax_id = e."tax-id" limit 1) m
       ${primary}
       on conflict do nothing
       returning 1
     )
     select count(*)::int as begun from begun`,
    [companyId, requestId, chunk, role, at],
  )
  return row?.begun ?? 0
}

/**
 * Makes the enrollments, and their events, of the chunk's entries whose benefit has begun.
 * @param newMemberIds members made by this step; the profile of anybody else changes when the inclusion completes.
 * @param count at least how many there are: each event needs an id.
 */
export async function insertEnrollments(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  options: { readonly at: Date; readonly newMemberIds: readonly string[]; readonly count: number },
): Promise<void> {
  const eventIds = idsInOrder(options.count)
  await sql.planned(
    `with person as materialized (
       select m.* from inclusion_chunk h cross join lateral ${membersOf('h', 'm')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     ), entry as materialized (
       select e.* from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     ), made as (
       insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
         primary_member_id, product_id, product_name, benefit_id, scheduled_action_date, scheduled_reason, data, initial_status,
         updates_profile, created_at, updated_at)
       select $1::uuid, e."enrollment-id", $2::uuid, 'inclusion', s.status, b.member_id, e."tax-id", e.type,
         b.primary_member_id, e."product-id", e."product-name", e."benefit-id", e."scheduled-action-date", e."scheduled-reason",
         ${enrollmentData}, s.status, not b.member_id = any($5::uuid[]),
         $4::timestamptz, $4::timestamptz
       from entry e
       join person m on m.n = e.n
       cross join lateral (select b.member_id, b.primary_member_id from benefit b where b.company_id = $1 and b.id = e."benefit-id" limit 1) b
       cross join lateral (select case when e."scheduled-reason" = 'future-admission-date' then 'scheduled' else 'created' end) s(status)
       returning id, status
     ), batch as (${insertBatch('$1::uuid', '$7::uuid[]', '$8::int')})
     insert into event (company_id, id, type, at, data)
     select $1::uuid, ($6::uuid[])[row_number() over ()], 'enrollment.created', $4::timestamptz,
       jsonb_build_object('company-id', $1::uuid, 'request-id', $2::uuid, 'enrollment-id', m.id, 'status', m.status)
     from made m`,
    [companyId, requestId, chunk, options.at, options.newMemberIds, eventIds, batchOf(eventIds), options.count],
  )
}

export interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
  readonly offenses: string[]
  /**
   * No failure, tried again: the primary stands in another request that is still processing, or was made, or what stood in
   * the way is gone, since this step looked.
   */
  readonly waits: boolean
}

/** Why entries of the chunk did not become enrollments: the facts changed since the request was accepted. */
export async function readFailures(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<Failure[]> {
  return sql.planned<Failure>(
    `select e."tax-id", e."product-name", x.waits,
       case when b.status = 'active' then array['already-enrolled']
            when b.status = 'pending' then array['ongoing-enrollment']
            else array['primary-member-not-enrolled-in-product'] end as offenses
     from inclusion_chunk h
     cross join lateral ${entriesOf('h', 'e')}
     left join member p on p.company_id = $1 and p.tax_id = e."tax-id"
     left join benefit b on b.company_id = $1 and b.member_id = p.id and b.product_id = e."product-id" and b.type = e.type
       and b.status in ('pending', 'active')
     cross join lateral (select b.id is null and (e.type = 'primary' or exists (
       select 1 from member q
       join benefit pb on pb.company_id = $1 and pb.member_id = q.id and pb.product_id = e."product-id"
         and pb.type = 'primary' and pb.status in ('pending', 'active')
       where q.company_id = $1 and q.tax_id = e."primary-member-tax-id") or exists (
       select 1 from inclusion_chunk o
       join request r on r.company_id = $1 and r.id = o.request_id
       join request mine on mine.company_id = $1 and mine.id = $2
       cross join lateral ${entriesOf('o', 'oe')}
       where o.company_id = $1 and o.request_id <> $2 and (r.created_at, r.id) < (mine.created_at, mine.id)
         and oe.type = 'primary' and oe."product-id" = e."product-id" and oe."tax-id" = e."primary-member-tax-id")) as waits) x
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
       and not exists (select 1 from enrollment n where n.company_id = $1 and n.id = e."enrollment-id")
     order by e.n`,
    [companyId, requestId, chunk],
  )
}

/** Ids of the enrollments that the chunk became. */
export async function readMade(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<string[]> {
  const rows = await sql.planned<{ id: string }>(
    `select n.id from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
     join enrollment n on n.company_id = $1 and n.id = e."enrollment-id"
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
export async function finishRequest(
  sql: Sql,
  companyId: string,
  requestId: string,
  at: Date,
): Promise<FinishedRequestStatus | null> {
  const rows = await sql.rows<{ status: FinishedRequestStatus }>(
    `update request r set finished_at = $3, status = case
         when r.failures = '[]'::jsonb then 'completed'
         when exists (select 1 from enrollment e where e.company_id = $1 and e.request_id = $2) then 'partial-failure'
         else 'failed' end
     where r.company_id = $1 and r.id = $2 and r.status = 'processing'
     returning r.status`,
    [companyId, requestId, at],
  )
  return rows[0]?.status ?? null
}
