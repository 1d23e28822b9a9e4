import type { Sql } from '../core/database.ts'
import { columnsOf, personalColumns, type StoredTable } from './personal-columns.ts'
import { anyPattern, identifierPattern, type Named } from './patterns.ts'
import { erased } from './statements.ts'

/** Tables with free text that belong to no company. */
const ofNoCompany: readonly StoredTable[] = ['member_import', 'member_import_error', 'saved_view']

const searchedTables = (Object.keys(personalColumns) as StoredTable[]).filter(
  (table) => columnsOf(table, 'searched').length > 0 || columnsOf(table, 'replaced').length > 0,
)

/**
 * Replaces free text that names the person: a text as a whole, in JSON what names the person.
 * @param companyId null: in what belongs to no company.
 */
export async function eraseTexts(sql: Sql, companyId: string | null, named: Named): Promise<void> {
  for (const table of searchedTables.filter((one) => ofNoCompany.includes(one) === (companyId === null))) {
    const scope = companyId === null ? [] : [companyId]
    const of = companyId === null ? '' : 'company_id = $1 and '
    const pattern = `$${scope.length + 1}::text`
    for (const column of columnsOf(table, 'searched')) {
      await sql.execute(`update ${table} set ${column} = '${erased}' where ${of}fold(${column}) ~ ${pattern}`, [
        ...scope,
        anyPattern(named),
      ])
    }
    for (const column of columnsOf(table, 'replaced')) {
      await sql.execute(
        `update ${table} set ${column} = regexp_replace(${column}::text, ${pattern}, '${erased}', 'gi')::jsonb
         where ${of}${column}::text ~* ${pattern}`,
        [...scope, identifierPattern(named)],
      )
    }
  }
}
