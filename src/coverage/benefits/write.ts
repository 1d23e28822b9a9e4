import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'

/*
 * The statements that write benefits. A caller gives each column as an SQL expression over the rows of its `from`, so that a batch that is in
 * the database already does not leave it; the timestamps are set here.
 */

type Expressions<Column extends string> = Readonly<Record<Column, string>>

type KeyColumn = 'company_id' | 'id' | 'member_id' | 'product_id' | 'type' | 'status' | 'start_date'
type OptionalColumn =
  | 'primary_member_id'
  | 'dependent_type'
  | 'end_date'
  | 'extension_plan'
  | 'outlives_primary'
  | 'card_number'
  | 'end_reason'
  | 'replaces_company_id'
  | 'replaces_id'

export interface WrittenBenefit {
  readonly companyId: string
  readonly id: string
  readonly memberId: string
  readonly status: 'pending' | 'active' | 'inactive'
}

const written = 'benefit.company_id as "companyId", benefit.id, benefit.member_id as "memberId", benefit.status'

interface BenefitInsert {
  readonly columns: Expressions<KeyColumn> & Partial<Expressions<OptionalColumn>>
  readonly from: string
  readonly values: readonly unknown[]
  /** How many rows, where no array of `values` says it. */
  readonly rows?: number
  /** Skips rows whose member has a pending or active benefit of the product in the role, instead of failing. */
  readonly skipConflicts?: boolean
}

/** Inserts benefits. @returns those inserted. */
export async function insertBenefits(sql: Sql, at: Date, insert: BenefitInsert): Promise<WrittenBenefit[]> {
  const { columns, from, values, rows, skipConflicts = false } = insert
  const parameters = new Parameters(...values)
  const now = `${parameters.add(at)}::timestamptz`
  return sql.query<WrittenBenefit>(
    `insert into benefit (${Object.keys(columns).join(', ')}, created_at, updated_at)
     select ${Object.values(columns).join(', ')}, ${now}, ${now} from ${from}
     ${skipConflicts ? 'on conflict do nothing' : ''}
     returning ${written}`,
    parameters.values,
    rows,
  )
}

interface BenefitUpdate {
  /** Expressions over `benefit`, the row as it was, and the rows of `from`. */
  readonly set: Partial<Expressions<'status' | 'start_date' | 'primary_member_id' | OptionalColumn>>
  readonly from?: string
  readonly where: string
  readonly values: readonly unknown[]
  /** How many rows, where no array of `values` says it. */
  readonly rows?: number
  /** Further columns of what is returned. */
  readonly returning?: string
}

/** Updates benefits. @returns those updated. */
export async function updateBenefits<Row extends object = WrittenBenefit>(
  sql: Sql,
  at: Date,
  { set, from, where, values, rows, returning }: BenefitUpdate,
): Promise<(Row & WrittenBenefit)[]> {
  const parameters = new Parameters(...values)
  const sets = Object.entries(set).map(([column, expression]) => `${column} = ${expression}, `)
  return sql.query<Row & WrittenBenefit>(
    `update benefit set ${sets.join('')}updated_at = ${parameters.add(at)}::timestamptz
     ${from === undefined ? '' : `from ${from}`}
     where ${where}
     returning ${written}${returning === undefined ? '' : `, ${returning}`}`,
    parameters.values,
    rows,
  )
}

/**
 * Stores what the carrier calls the benefits of the lines that were matched, where they have no name of it yet. What two benefits of the
 * file would share, and a name that another benefit has, is not stored.
 */
export async function storeCertificates(
  sql: Sql,
  companyId: string,
  fileId: string,
  lineNumber: number | null = null,
): Promise<void> {
  await sql.query(
    `with named as (
       select certificate, coalesce(dependent_code, '') as dependent_code, min(benefit_id::text)::uuid as benefit_id, min(plan_code) as plan_code
       from carrier_line
       where company_id = $1 and file_id = $2 and benefit_id is not null and certificate is not null and dependent_code is not null and matched_by <> 'family'
         and ($3::integer is null or line_number = $3)
       group by certificate, coalesce(dependent_code, '') having count(distinct benefit_id) = 1
     ), once as (
       select min(certificate) as certificate, min(dependent_code) as dependent_code, min(plan_code) as plan_code, benefit_id from named
       group by benefit_id having count(*) = 1
     )
     update benefit set carrier_certificate = once.certificate, carrier_dependent_code = once.dependent_code,
       carrier_plan_code = case when $3::integer is not null then once.plan_code else benefit.carrier_plan_code end
     from once where benefit.company_id = $1 and benefit.id = once.benefit_id
       and ($3::integer is not null or benefit.carrier_certificate is null)`,
    [companyId, fileId, lineNumber],
    100_000,
  )
}
