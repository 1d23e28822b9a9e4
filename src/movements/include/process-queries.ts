import type { Tx } from '#platform/core/write.ts'
import type { EventEnrollment } from '#platform/core/events.ts'
import type { Sql } from '#platform/core/database.ts'
import { insertBenefits } from '#coverage/benefits/write.ts'
import { dayAfterFormerCover } from '../transition/start-queries.ts'
import { insertEnrollments } from '../transition/enrollments.ts'
import { type InsertedMember, insertMembers } from '#coverage/members/write.ts'
import { type Chunk, chunkSize, chunkValues, itemsOfChunk } from '../batch/process-queries.ts'

/*
 * The statements of a step of the worker, over one chunk of items. Members and benefits are joined by `lateral ... limit 1`, so that
 * each item uses an index: the planner assumes one row for a company that is not in the statistics yet, and would read the whole company for
 * each item of the chunk.
 */

const memberOf = (taxId: string) =>
  `lateral (select id from member where company_id = $1 and tax_id = ${taxId} limit 1)`

/** SQL: the primary of an `item` with `primary_tax_id` and `product_id`, and the primary's pending or active benefit of the product. */
const primaryBenefit = `${memberOf('item.primary_tax_id')} primary_member
  cross join lateral (select id, start_date from benefit where company_id = $1 and member_id = primary_member.id
    and product_id = item.product_id and type = 'primary' and status in ('pending', 'active') limit 1) primary_benefit`
const ofPrimary = 'primary_tax_id bpchar, product_id uuid'

/** Locks the primaries' benefits of the chunk's dependents, so that none ends before the dependents' benefits are inserted. */
export async function lockPrimaryBenefits(sql: Sql, chunk: Chunk): Promise<void> {
  await sql.query(
    `select benefit.id from benefit
     where benefit.company_id = $1 and benefit.status in ('pending', 'active')
       and benefit.id = any(array(select primary_benefit.id from ${itemsOfChunk(ofPrimary)} cross join ${primaryBenefit}
         where item.type = 'dependent'))
     order by benefit.id for share`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
}

/** Locks the existing members of the chunk, so that none is deleted with a rejected inclusion. */
export async function lockMembers(sql: Sql, chunk: Chunk): Promise<void> {
  await sql.query(
    `select member.id from member
     where member.company_id = $1 and member.id = any(array(select member.id from ${itemsOfChunk()} cross join ${memberOf('item.tax_id')} member))
     order by member.id for key share`,
    chunkValues(chunk),
    chunkSize(chunk),
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
    text: `select distinct on (item.tax_id) item.company_id, item.tax_id, null::uuid as id, item.data
      from ${itemsOfChunk('entry integer, data jsonb')} order by item.tax_id, item.entry`,
    values: chunkValues(chunk),
    rows: chunkSize(chunk),
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
  // The item has the day that the start option says. Primary and former cover may have changed since the request was accepted.
  const afterFormer = dayAfterFormerCover({ memberId: 'member.id', productId: 'item.product_id', type: 'item.type' })
  await insertBenefits(sql, at, {
    columns: {
      company_id: 'item.company_id',
      id: 'item.benefit_id',
      member_id: 'member.id',
      product_id: 'item.product_id',
      type: 'item.type',
      status: `'pending'`,
      start_date: `greatest(item.start_date, ${isDependent ? 'primary_benefit.start_date, ' : ''}${afterFormer})`,
      ...(isDependent ? { primary_member_id: 'primary_member.id', dependent_type: 'item.dependent_type' } : {}),
    },
    from: `${itemsOfChunk(`benefit_id uuid, start_date date, dependent_type text, ${ofPrimary}`)}
      cross join ${memberOf('item.tax_id')} member
      ${isDependent ? `cross join ${primaryBenefit}` : ''}
      where item.type = $4`,
    values: [...chunkValues(chunk), type],
    rows: chunkSize(chunk),
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
  // One that waits for documents is not scheduled: it is asked for them now.
  const status = `case when item.scheduled_reason = 'future-admission-date' and item.pending_items is null then 'scheduled' else 'created' end`
  const write = { sql, companyId: chunk.companyId, at }
  return insertEnrollments(write, {
    columns: {
      company_id: 'item.company_id',
      id: 'item.enrollment_id',
      request_id: 'item.request_id',
      enrollment_type: `'inclusion'`,
      status,
      initial_status: status,
      member_id: 'benefit.member_id',
      member_tax_id: 'item.tax_id',
      member_type: 'item.type',
      primary_member_id: 'benefit.primary_member_id',
      product_id: 'item.product_id',
      product_name: 'item.product_name',
      benefit_id: 'item.benefit_id',
      scheduled_action_date: 'item.scheduled_action_date',
      scheduled_reason: 'item.scheduled_reason',
      start_option: 'item.start_option',
      data: 'item.data',
      reference: 'item.reference',
      start_date: 'item.start_date',
      updates_profile: 'benefit.member_id <> all($4::uuid[])',
      initial_actor: '$5::text',
    },
    from: `${itemsOfChunk(`enrollment_id uuid, benefit_id uuid, product_id uuid, product_name text, start_date date, scheduled_action_date date,
        scheduled_reason text, start_option text, pending_items jsonb, data jsonb`)}
      cross join lateral (
        select member_id, primary_member_id from benefit where company_id = $1 and id = item.benefit_id limit 1) benefit`,
    values: [...chunkValues(chunk), newMemberIds, chunk.requestedBy],
    rows: chunkSize(chunk),
  })
}

interface Failure {
  readonly 'tax-id': string
  readonly 'product-name': string
  readonly 'product-id': string
  /** null: the cause of the failure has ended since the step began, so the step is retried. */
  readonly offenses: readonly string[] | null
}

/** Reads the items of the chunk without an enrollment, with the offenses: the facts changed since the request was accepted. */
export async function readFailures(sql: Sql, chunk: Chunk): Promise<Failure[]> {
  return sql.query<Failure>(
    `select item.tax_id as "tax-id", item.product_name as "product-name", item.product_id as "product-id",
       case when benefit.status = 'active' then array['already-enrolled']
            when benefit.status = 'pending' then array['ongoing-enrollment']
            when item.type = 'dependent' and not exists (select 1 from ${primaryBenefit})
              then array['primary-member-not-enrolled-in-product'] end as offenses
     from ${itemsOfChunk(`entry integer, enrollment_id uuid, product_name text, ${ofPrimary}`)}
     left join ${memberOf('item.tax_id')} member on true
     left join lateral (select benefit.status from benefit where benefit.company_id = $1 and benefit.member_id = member.id
       and benefit.product_id = item.product_id
       and benefit.type = item.type and benefit.status in ('pending', 'active') limit 1) benefit on true
     where not exists (select 1 from enrollment where company_id = $1 and id = item.enrollment_id)
     order by item.entry`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
}
