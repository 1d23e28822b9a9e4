import type { Sql } from '../core/database.ts'
import { Parameters } from '../core/parameters.ts'

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

export interface BenefitInsert {
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

export interface BenefitUpdate {
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
