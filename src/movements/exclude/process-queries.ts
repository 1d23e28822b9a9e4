import type { EventEnrollment } from '../../core/events.ts'
import type { BeneficiaryType } from '../../domain/enums.ts'
import type { ExclusionOffense } from '../../domain/exclusion-offenses.ts'
import { isOpenChange } from '../../enrollments/is-open.ts'
import type { CompanyWrite } from '../transition/types.ts'
import { insertEnrollments } from '../transition/enrollments.ts'
import type { Sql } from '../../core/database.ts'
import type { Chunk } from '../batch/progress.ts'

/*
 * The statements of a step of the worker, over one chunk of `staged_exclusion`. Rows are joined by `lateral ... limit 1`, so that each uses an
 * index, as in an inclusion.
 */

const valuesOf = ({ companyId, requestId, chunk }: Chunk) => [companyId, requestId, chunk]

const stagedOfChunk = `(select * from staged_exclusion where company_id = $1 and request_id = $2 and chunk = $3) s`

/** SQL: the benefit of a row `s`. */
const benefitOfRow = `lateral (select b.* from benefit b where b.company_id = $1 and b.id = s.benefit_id limit 1) b`

export interface ChunkSummary {
  readonly benefitIds: readonly string[]
  /** Whether an unprocessed request of the company that was accepted earlier excludes one of them: it must be processed first. */
  readonly hasEarlier: boolean
}

export async function readChunk(sql: Sql, chunk: Chunk): Promise<ChunkSummary> {
  const [row] = await sql.query<ChunkSummary>(
    `with earlier as materialized (
       select o.benefit_id from staged_exclusion o
       where o.company_id = $1 and o.request_id = any(array(
         select w.target_id from work own join work w on (w.created_at, w.target_id) < (own.created_at, own.target_id)
         where own.company_id = $1 and own.target_id = $2 and w.company_id = $1))
     )
     select coalesce(array_agg(s.benefit_id), '{}') as "benefitIds",
       coalesce(bool_or(s.benefit_id in (select benefit_id from earlier)), false) as "hasEarlier"
     from ${stagedOfChunk}`,
    valuesOf(chunk),
  )
  return row ?? { benefitIds: [], hasEarlier: false }
}

export interface FailedRow {
  readonly enrollmentId: string
  /** As `request.failures` has it. */
  readonly failure: {
    readonly 'tax-id': string
    readonly type: BeneficiaryType
    readonly 'product-name': string
    readonly offenses: readonly ExclusionOffense[]
  }
}

/**
 * Reads the rows of the chunk that cannot become enrollments, because the facts changed since the request was accepted: all of an entry when
 * one of its benefits has an open change, and a benefit that has ended with those of its dependents. The caller has locked the benefits.
 * The open changes are read once for the chunk: read for each row, the planner may scan all open enrollments each time.
 */
export async function readFailures(sql: Sql, chunk: Chunk): Promise<FailedRow[]> {
  return sql.queryPlanned<FailedRow>(
    `with changing as materialized (
       select e.benefit_id from enrollment e
       where e.company_id = $1 and e.benefit_id = any(array(select s.benefit_id from ${stagedOfChunk})) and ${isOpenChange('e')}
     ), part as (
       select s.*, b.status = 'active' as is_active, s.benefit_id in (select benefit_id from changing) as is_open
       from ${stagedOfChunk} cross join ${benefitOfRow}
     ), judged as (
       select p.*,
         p.is_open or bool_or(p.is_open and p.primary_enrollment_id is null) over (partition by p.member_index) as is_ongoing,
         not p.is_active or bool_or(not p.is_active and p.primary_enrollment_id is null)
           over (partition by coalesce(p.primary_enrollment_id, p.enrollment_id)) as is_ended
       from part p
     )
     select enrollment_id as "enrollmentId", json_build_object('tax-id', tax_id, 'type', type, 'product-name', product_name,
       'offenses', array[case when is_ongoing then 'ongoing-enrollment' else 'no-active-benefit' end]) as failure
     from judged where is_ongoing or is_ended
     order by member_index, enrollment_id`,
    valuesOf(chunk),
  )
}

/** Inserts the enrollments of the chunk, except those that failed. */
export async function insertChunkExclusions(
  write: CompanyWrite,
  chunk: Chunk,
  failedIds: readonly string[],
): Promise<EventEnrollment[]> {
  const status = `case when s.scheduled_action_date is null then 'created' else 'scheduled' end`
  return insertEnrollments(write, {
    columns: {
      company_id: 's.company_id',
      id: 's.enrollment_id',
      request_id: 's.request_id',
      enrollment_type: `'exclusion'`,
      status,
      initial_status: status,
      member_id: 'b.member_id',
      member_tax_id: 's.tax_id',
      member_type: 'b.type',
      primary_member_id: 'b.primary_member_id',
      product_id: 'b.product_id',
      product_name: 's.product_name',
      benefit_id: 's.benefit_id',
      effective_date: 's.end_date',
      primary_enrollment_id: 's.primary_enrollment_id',
      scheduled_action_date: 's.scheduled_action_date',
      scheduled_reason: `case when s.scheduled_action_date is not null then 'future-end-date' end`,
      data: 's.data',
      reference: 's.reference',
    },
    from: `${stagedOfChunk} cross join ${benefitOfRow} where s.enrollment_id <> all($4::uuid[])`,
    values: [...valuesOf(chunk), failedIds],
  })
}
