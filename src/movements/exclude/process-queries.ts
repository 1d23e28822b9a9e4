import type { EventEnrollment } from '#platform/core/events.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { ExclusionOffense } from '#kernel/exclusion-offenses.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'
import type { CompanyWrite } from '../transition/types.ts'
import { insertEnrollments } from '../transition/enrollments.ts'
import type { Sql } from '#platform/core/database.ts'
import { settleExtensions } from '../transition/settle-extensions.ts'
import { type Chunk, chunkSize, chunkValues, itemsOfChunk } from '../batch/process-queries.ts'

/*
 * The statements of a step of the worker, over one chunk of items. They are joined by `lateral ... limit 1`, so that each uses an
 * index, as in an inclusion.
 */

/** SQL: the benefit of an `item` with `benefit_id`. */
const benefitOfItem = `lateral (select * from benefit where company_id = $1 and id = item.benefit_id limit 1) benefit`

export async function readBenefitIds(sql: Sql, chunk: Chunk): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select item.benefit_id as id from ${itemsOfChunk('benefit_id uuid')}`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
  return rows.map(({ id }) => id)
}

interface FailedItem {
  readonly enrollmentId: string
  /** As `request.failures` has it. */
  readonly failure: {
    readonly 'tax-id': string
    readonly type: BeneficiaryType
    readonly 'product-name': string
    readonly 'product-id': string
    readonly 'benefit-id': string
    readonly offenses: readonly ExclusionOffense[]
  }
}

/**
 * Reads the items of the chunk that cannot become enrollments, because the facts changed since the request was accepted: all of an entry when
 * one of its benefits has an open change, and a benefit that has ended with those of its dependents. The caller has locked the benefits.
 * The open changes are read once for the chunk: read for each item, the planner may scan all open enrollments each time.
 */
export async function readFailures(sql: Sql, chunk: Chunk): Promise<FailedItem[]> {
  return sql.query<FailedItem>(
    `with changing as materialized (
       select open_movement.benefit_id from open_movement
       where open_movement.company_id = $1 and open_movement.benefit_id = any(array(select item.benefit_id from ${itemsOfChunk('benefit_id uuid')}))
         and ${isChange('open_movement')}
     ), part as (
       select item.*, benefit.product_id, benefit.status = 'active' as is_active, item.benefit_id in (select benefit_id from changing) as is_open
       from ${itemsOfChunk('entry integer, enrollment_id uuid, primary_enrollment_id uuid, benefit_id uuid, product_name text')}
       cross join ${benefitOfItem}
     ), judged as (
       select part.*,
         part.is_open or bool_or(part.is_open and part.primary_enrollment_id is null) over (partition by part.entry) as is_ongoing,
         not part.is_active or bool_or(not part.is_active and part.primary_enrollment_id is null)
           over (partition by coalesce(part.primary_enrollment_id, part.enrollment_id)) as is_ended
       from part
     )
     select enrollment_id as "enrollmentId", json_build_object('tax-id', tax_id, 'type', type, 'product-name', product_name,
       'product-id', product_id, 'benefit-id', benefit_id, 'offenses', array[case when is_ongoing then 'ongoing-enrollment' else 'no-active-benefit' end]) as failure
     from judged where is_ongoing or is_ended
     order by entry, enrollment_id`,
    chunkValues(chunk),
    chunkSize(chunk),
  )
}

/** Inserts the enrollments of the chunk, except those that failed. */
export async function insertChunkExclusions(
  write: CompanyWrite,
  chunk: Chunk,
  failedIds: readonly string[],
): Promise<EventEnrollment[]> {
  // One that waits for documents is not scheduled: it is asked for them now.
  const status = `case when item.scheduled_action_date is null or item.pending_items is not null then 'created' else 'scheduled' end`
  const inserted = await insertEnrollments(write, {
    columns: {
      company_id: 'item.company_id',
      id: 'item.enrollment_id',
      request_id: 'item.request_id',
      enrollment_type: `'exclusion'`,
      initial_actor: '$5::text',
      status,
      initial_status: status,
      member_id: 'benefit.member_id',
      member_tax_id: 'item.tax_id',
      member_type: 'benefit.type',
      primary_member_id: 'benefit.primary_member_id',
      product_id: 'benefit.product_id',
      product_name: 'item.product_name',
      benefit_id: 'item.benefit_id',
      effective_date: 'item.end_date',
      primary_enrollment_id: 'item.primary_enrollment_id',
      scheduled_action_date: 'item.scheduled_action_date',
      scheduled_reason: `case when item.scheduled_action_date is not null then 'future-end-date' end`,
      data: 'item.data',
      reference: 'item.reference',
    },
    from: `${itemsOfChunk(`enrollment_id uuid, primary_enrollment_id uuid, benefit_id uuid, product_name text, end_date date,
        scheduled_action_date date, pending_items jsonb, data jsonb`)}
      cross join ${benefitOfItem} where item.enrollment_id <> all($4::uuid[])`,
    values: [...chunkValues(chunk), failedIds, chunk.requestedBy],
    rows: chunkSize(chunk),
  })
  await settleExtensions(
    write.sql,
    write.companyId,
    inserted.map(({ id }) => id),
  )
  return inserted
}
