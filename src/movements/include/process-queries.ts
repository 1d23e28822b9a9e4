import type { Tx } from '../../core/write.ts'
import type { EventEnrollment } from '../../core/events.ts'
import type { Sql } from '../../core/database.ts'
import { insertBenefits } from '../../benefits/write.ts'
import { dayAfterFormerCover } from '../transition/start-queries.ts'
import { insertEnrollments } from '../transition/enrollments.ts'
import { type InsertedMember, insertMembers } from '../../members/write.ts'
import type { Chunk } from '../batch/progress.ts'

/*
 * The statements of a step of the worker, over one chunk of `staged_enrollment`. Members and benefits are joined by `lateral ... limit 1`, so that
 * each row uses an index: the planner assumes one row for a company that is not in the statistics yet, and would read the whole company for
 * each row of the chunk.
 */

const valuesOf = ({ companyId, requestId, chunk }: Chunk) => [companyId, requestId, chunk]

const stagedOfChunk = `(select * from staged_enrollment where company_id = $1 and request_id = $2 and chunk = $3) s`

const memberOf = (taxId: string) =>
  `lateral (select m.id from member m where m.company_id = $1 and m.tax_id = ${taxId} limit 1)`

/** SQL: the primary of a row `s` and the primary's pending or active benefit of the product. */
const primaryBenefit = `${memberOf('s.primary_tax_id')} p
  cross join lateral (select b.id, b.start_date from benefit b where b.company_id = $1 and b.member_id = p.id and b.product_id = s.product_id
    and b.type = 'primary' and b.status in ('pending', 'active') limit 1) primary_benefit`

export interface ChunkSummary {
  /** How many rows of each role the chunk has. */
  readonly primaries: number
  readonly dependents: number
  /**
   * Whether an unprocessed request of the company that was accepted earlier has the same person, product and role, or a primary of the
   * chunk's dependents in the product: it must be processed first.
   */
  readonly hasEarlier: boolean
}

export async function readChunk(sql: Sql, chunk: Chunk): Promise<ChunkSummary> {
  const [row] = await sql.query<ChunkSummary>(
    `with earlier as materialized (
       select o.tax_id, o.product_id, o.type from staged_enrollment o
       where o.company_id = $1 and o.request_id = any(array(
         select w.target_id from work own join work w on (w.created_at, w.target_id) < (own.created_at, own.target_id)
         where own.company_id = $1 and own.target_id = $2 and w.company_id = $1))
     )
     select count(*) filter (where s.type = 'primary')::int as primaries, count(*) filter (where s.type = 'dependent')::int as dependents,
       coalesce(bool_or((s.tax_id, s.product_id, s.type) in (select tax_id, product_id, type from earlier)
         or (s.primary_tax_id, s.product_id, 'primary') in (select tax_id, product_id, type from earlier)), false) as "hasEarlier"
     from ${stagedOfChunk}`,
    valuesOf(chunk),
  )
  return row ?? { primaries: 0, dependents: 0, hasEarlier: false }
}

/** Locks the primaries' benefits of the chunk's dependents, so that none ends before the dependents' benefits are inserted. */
export async function lockPrimaryBenefits(sql: Sql, chunk: Chunk): Promise<void> {
  await sql.queryPlanned(
    `select b.id from benefit b
     where b.company_id = $1 and b.status in ('pending', 'active')
       and b.id = any(array(select primary_benefit.id from ${stagedOfChunk} cross join ${primaryBenefit} where s.type = 'dependent'))
     order by b.id for share`,
    valuesOf(chunk),
  )
}

/** Locks the existing members of the chunk, so that none is deleted with a rejected inclusion. */
export async function lockMembers(sql: Sql, chunk: Chunk): Promise<void> {
  await sql.queryPlanned(
    `select m.id from member m
     where m.company_id = $1 and m.id = any(array(select m.id from ${stagedOfChunk} cross join ${memberOf('s.tax_id')} m))
     order by m.id for key share`,
    valuesOf(chunk),
  )
}

/** Inserts the new members of the chunk. Of several entries of a person the first one counts. */
export async function insertChunkMembers(
  sql: Sql,
  memberKey: Buffer,
  at: Date,
  chunk: Chunk,
): Promise<InsertedMember[]> {
  return insertMembers(sql, memberKey, at, {
    text: `select distinct on (s.tax_id) s.company_id, s.tax_id, null::uuid as id, s.data from ${stagedOfChunk}
      order by s.tax_id, s.member_index`,
    values: valuesOf(chunk),
  })
}

/**
 * Inserts the benefits of one role in the chunk; call it for primaries first. Leaves out members who have the benefit already, and dependents
 * whose primary does not have it: `readFailures` returns them.
 */
export async function insertChunkBenefits(
  sql: Sql,
  at: Date,
  chunk: Chunk,
  type: 'primary' | 'dependent',
): Promise<void> {
  const isDependent = type === 'dependent'
  // The row has the day that the start option says. Primary and former cover may have changed since the request was accepted.
  const afterFormer = dayAfterFormerCover({ memberId: 'm.id', productId: 's.product_id', type: 's.type' })
  await insertBenefits(sql, at, {
    columns: {
      company_id: 's.company_id',
      id: 's.benefit_id',
      member_id: 'm.id',
      product_id: 's.product_id',
      type: 's.type',
      status: `'pending'`,
      start_date: `greatest(s.start_date, ${isDependent ? 'primary_benefit.start_date, ' : ''}${afterFormer})`,
      ...(isDependent ? { primary_member_id: 'p.id', dependent_type: 's.dependent_type' } : {}),
    },
    from: `${stagedOfChunk}
      cross join ${memberOf('s.tax_id')} m
      ${isDependent ? `cross join ${primaryBenefit}` : ''}
      where s.type = $4`,
    values: [...valuesOf(chunk), type],
    skipConflicts: true,
  })
}

/**
 * Inserts the enrollments of the chunk whose benefit was inserted.
 * @param newMemberIds members inserted by this step: the registration data of all others change when the inclusion completes.
 */
export async function insertChunkEnrollments(
  sql: Tx,
  at: Date,
  chunk: Chunk,
  newMemberIds: readonly string[],
): Promise<EventEnrollment[]> {
  const status = `case when s.scheduled_reason = 'future-admission-date' then 'scheduled' else 'created' end`
  const write = { sql, companyId: chunk.companyId, at }
  return insertEnrollments(write, {
    columns: {
      company_id: 's.company_id',
      id: 's.enrollment_id',
      request_id: 's.request_id',
      enrollment_type: `'inclusion'`,
      status,
      initial_status: status,
      member_id: 'b.member_id',
      member_tax_id: 's.tax_id',
      member_type: 's.type',
      primary_member_id: 'b.primary_member_id',
      product_id: 's.product_id',
      product_name: 's.product_name',
      benefit_id: 's.benefit_id',
      scheduled_action_date: 's.scheduled_action_date',
      scheduled_reason: 's.scheduled_reason',
      start_option: 's.start_option',
      data: 's.data',
      reference: 's.reference',
      start_date: 's.start_date',
      updates_profile: 'b.member_id <> all($4::uuid[])',
    },
    from: `${stagedOfChunk}
      cross join lateral (
        select b.member_id, b.primary_member_id from benefit b where b.company_id = $1 and b.id = s.benefit_id limit 1) b`,
    values: [...valuesOf(chunk), newMemberIds],
  })
}

export interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
  /** null: the cause of the failure has ended since the step began, so the step is retried. */
  readonly offenses: readonly string[] | null
}

/** Reads the rows of the chunk without an enrollment, with the offenses: the facts changed since the request was accepted. */
export async function readFailures(sql: Sql, chunk: Chunk): Promise<Failure[]> {
  return sql.queryPlanned<Failure>(
    `select s.tax_id as "tax-id", s.product_name as "product-name",
       case when b.status = 'active' then array['already-enrolled']
            when b.status = 'pending' then array['ongoing-enrollment']
            when s.type = 'dependent' and not exists (select from ${primaryBenefit})
              then array['primary-member-not-enrolled-in-product'] end as offenses
     from ${stagedOfChunk}
     left join ${memberOf('s.tax_id')} m on true
     left join lateral (select b.status from benefit b where b.company_id = $1 and b.member_id = m.id and b.product_id = s.product_id
       and b.type = s.type and b.status in ('pending', 'active') limit 1) b on true
     where not exists (select from enrollment e where e.company_id = $1 and e.id = s.enrollment_id)
     order by s.member_index`,
    valuesOf(chunk),
  )
}
