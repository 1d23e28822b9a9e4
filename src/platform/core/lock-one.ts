import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Sql } from './database.ts'
import { ApiError } from './errors.ts'

/**
 * Locks the row of an id until the transaction ends. The company is read first, because statements on the tables of companies name it.
 * @param columns SQL of what is read, over the table.
 * @param before what is locked before the row, by the id of the company.
 * @throws ApiError `code`, a 404: there is no such row.
 */
export async function lockOne<Row extends object>(
  sql: Sql,
  table: string,
  id: string,
  columns: string,
  code: ErrorCode,
  before: (companyId: string) => Promise<unknown> = async () => {},
): Promise<Row & { readonly companyId: string }> {
  const [found] = await sql.query<{ companyId: string }>(
    `select company_id as "companyId" from ${table} where id = $1`,
    [id],
  )
  if (found === undefined) throw new ApiError(code)
  const { companyId } = found
  await before(companyId)
  const [row] = await sql.query<Row>(
    `select ${columns} from ${table} where ${table}.company_id = $1 and ${table}.id = $2 for update of ${table}`,
    [companyId, id],
  )
  if (row === undefined) throw new ApiError(code)
  return { ...row, companyId }
}
