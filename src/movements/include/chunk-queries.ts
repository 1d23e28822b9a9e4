import type { Sql } from '../../platform/database.ts'
import { batchOf, insertBatch } from '../../webhooks/outbox.ts'
import { idsInOrder } from '../../platform/uuid.ts'
import { entriesOf, membersOf } from './decode-chunk.ts'
import { type Chunk, enrollmentData, profileOf } from './process-queries.ts'

/** What one statement made of a chunk. */
export interface InsertedChunk {
  /** People who were made members now. */
  readonly newcomers: number
  /** Benefits that begin, each with its enrollment and its event. */
  readonly begun: number
}

/**
 * Makes the whole chunk in one statement, so that its JSON is read once: members, benefits of primaries, benefits of
 * dependents, enrollments and their events. Entries whose way is barred (a benefit in force, a primary without one, an id that
 * is taken) are left out: when fewer come out than went in, undo it and go step by step.
 * @param count how many entries the chunk has.
 * @param known whether people of the chunk are members already; hold their rows before (`lockMembers`).
 */
export async function insertChunk(
  sql: Sql,
  { companyId, requestId, chunk }: Chunk,
  { known, count, at }: { readonly known: boolean; readonly count: number; readonly at: Date },
): Promise<InsertedChunk> {
  // Made now: whoever reads events in the order of their ids must not miss those of a chunk that waited.
  const eventIds = idsInOrder(count)
  const [made] = await sql.planned<InsertedChunk>(
    `with entry as materialized (
       -- a truth of its own: of a comparison the planner expects one row, and then joins everybody with everybody
       select e.*, e.type = 'dependent' as joins, case when e."scheduled-reason" = 'future-admission-date' then 'scheduled' else 'created' end as status
       from inclusion_chunk h cross join lateral ${entriesOf('h', 'e')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     ), person as materialized (
       select m.* from inclusion_chunk h cross join lateral ${membersOf('h', 'm')}
       where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
     ), newcomer as (
       insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
         employee_id, cost_center, salary, details, created_at, updated_at)
       select distinct on (m."tax-id") $1::uuid, m."member-id", m."tax-id", ${profileOf}, $4::timestamptz, $4::timestamptz
       from person m
       order by m."tax-id", m.n
       on conflict do nothing
       returning id, tax_id
     ), everybody as (
       select id, tax_id, false as is_known from newcomer
       union all
       select m.id, m.tax_id, true from (select distinct "tax-id" from entry where $5::boolean) e
       join member m on m.company_id = $1 and m.tax_id = e."tax-id"
     ), lead as (
       insert into benefit (company_id, id, member_id, product_id, type, status, start_date, created_at, updated_at)
       select $1::uuid, e."benefit-id", m.id, e."product-id", 'primary', 'pending', e."start-date", $4::timestamptz, $4::timestamptz
       from entry e join everybody m on m.tax_id = e."tax-id"
       where not e.joins
       on conflict do nothing
       returning id, member_id, product_id
     ), named as materialized (
       select e.tax_id, e.product_id, p.id as member_id, b.id
       from (select distinct "primary-member-tax-id" as tax_id, "product-id" as product_id from entry where joins) e
       cross join lateral (select p.id from member p where p.company_id = $1 and p.tax_id = e.tax_id limit 1) p
       cross join lateral (select b.id from benefit b where b.company_id = $1 and b.member_id = p.id
         and b.product_id = e.product_id and b.type = 'primary' and b.status in ('pending', 'active') limit 1) b
     ), standing as materialized (
       select b.id from benefit b where b.company_id = $1 and b.id = any(array(select id from named))
         and b.status in ('pending', 'active')
       order by b.id for share of b
     ), held as (
       select n.tax_id, n.product_id, n.member_id from named n join standing s on s.id = n.id
       union all
       select m.tax_id, b.product_id, b.member_id from lead b join everybody m on m.id = b.member_id
     ), follow as (
       insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
         created_at, updated_at)
       select $1::uuid, e."benefit-id", m.id, e."product-id", 'dependent', p.member_id, e."dependent-type", 'pending', e."start-date",
         $4::timestamptz, $4::timestamptz
       from entry e join everybody m on m.tax_id = e."tax-id"
       join held p on p.tax_id = e."primary-member-tax-id" and p.product_id = e."product-id"
       where e.joins
       on conflict do nothing
       returning id, member_id, primary_member_id
     ), begun as (
       select id, member_id, null::uuid as primary_member_id from lead union all select id, member_id, primary_member_id from follow
     ), made as (
       insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
         primary_member_id, product_id, product_name, benefit_id, scheduled_action_date, scheduled_reason, data, initial_status,
         updates_profile, created_at, updated_at)
       select $1::uuid, e."enrollment-id", $2::uuid, 'inclusion', e.status, b.member_id, e."tax-id", e.type, b.primary_member_id,
         e."product-id", e."product-name", e."benefit-id", e."scheduled-action-date", e."scheduled-reason",
         ${enrollmentData}, e.status,
         b.member_id in (select id from everybody where is_known), $4::timestamptz, $4::timestamptz
       from entry e
       join begun b on b.id = e."benefit-id"
       join person m on m.n = e.n
     ), batch as (${insertBatch('$1::uuid', '$7::uuid[]', '$8::int')}
     ), told as (
       insert into event (company_id, id, type, at, data)
       select $1::uuid, ($6::uuid[])[row_number() over ()], 'enrollment.created', $4::timestamptz, jsonb_build_object('company-id', $1::uuid,
         'request-id', $2::uuid, 'enrollment-id', e."enrollment-id", 'status', e.status)
       from entry e join begun b on b.id = e."benefit-id"
     )
     select (select count(*) from newcomer)::int as newcomers, (select count(*) from begun)::int as begun`,
    [companyId, requestId, chunk, at, known, eventIds, batchOf(eventIds), count],
  )
  return made ?? { newcomers: 0, begun: 0 }
}

/**
 * Whether somebody of the chunk stands with the same product and role in a request of the company that was accepted earlier
 * and is still being processed: that one goes first, and this one's part fails.
 */
export async function hasEarlier(sql: Sql, { companyId, requestId, chunk }: Chunk): Promise<boolean> {
  const rows = await sql.planned(
    `select 1 from inclusion_chunk h
     cross join lateral ${entriesOf('h', 'e')}
     where h.company_id = $1 and h.request_id = $2 and h.chunk = $3
       and (e."tax-id", e."product-id", e.type) in (
         select oe."tax-id", oe."product-id", oe.type
         from request mine
         join request r on r.company_id = $1 and (r.created_at, r.id) < (mine.created_at, mine.id)
         join inclusion_chunk o on o.company_id = $1 and o.request_id = r.id
         cross join lateral ${entriesOf('o', 'oe')}
         where mine.company_id = $1 and mine.id = $2)
     limit 1`,
    [companyId, requestId, chunk],
  )
  return rows.length > 0
}
