import type { Sql } from '../core/database.ts'
import { memberName, productOf, startDate, endDate } from '../enrollments/queries.ts'
import type { ItemProblem, MovementRecord, RenderedFile } from '../layouts/types.ts'
import { csvLine, lineEnd } from '../tables/write.ts'

/** The layout of a contract that names none. */
export const genericLayout = { id: 'generic-csv', version: 1 } as const

/** What a shipment writes of itself into its file. No time: the same movements make the same bytes. */
export interface ShipmentHeader {
  readonly number: number
  readonly cutOffDate: string | null
  readonly coverageStart: string | null
}

export interface RenderedShipment {
  readonly layout: { readonly id: string; readonly version: number }
  readonly file: RenderedFile
}

/** Writes movements, in this order, in the layout of the contract. */
export async function renderShipment(
  sql: Sql,
  companyId: string,
  _contractId: string,
  _header: ShipmentHeader,
  ids: readonly string[],
): Promise<RenderedShipment> {
  const records = await readRecords(sql, companyId, ids)
  return { layout: genericLayout, file: renderGeneric(ids.flatMap((id) => records.get(id) ?? [])) }
}

const columns = [
  'movement.type',
  'plan.carrier-plan-code',
  'person.tax-id',
  'person.name',
  'benefit.start-date',
  'benefit.end-date',
]

async function readRecords(sql: Sql, companyId: string, ids: readonly string[]): Promise<Map<string, MovementRecord>> {
  const rows = await sql.query<{ id: string; familyId: string; values: Record<string, string> }>(
    `select enrollment.id, coalesce(enrollment.primary_member_id, enrollment.member_id) as "familyId",
       json_strip_nulls(json_build_object('movement.type', enrollment.enrollment_type, 'person.tax-id', enrollment.member_tax_id,
         'person.name', ${memberName}, 'plan.carrier-plan-code', contract_plan.carrier_plan_code,
         'benefit.start-date', ${startDate}, 'benefit.end-date', ${endDate})) as values
     from enrollment join product on ${productOf('enrollment')}
     left join contract_plan on contract_plan.company_id = enrollment.company_id and contract_plan.active_product_id = product.id
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map(({ id, familyId, values }) => [id, { enrollmentId: id, familyId, values }]))
}

function renderGeneric(records: readonly MovementRecord[]): RenderedFile {
  const lines = [csvLine(columns)]
  const items = records.map(({ values }) => {
    const problems: ItemProblem[] =
      values['plan.carrier-plan-code'] === undefined
        ? [{ code: 'plan-code-missing', field: 'plan.carrier-plan-code', column: 'plan.carrier-plan-code' }]
        : []
    if (problems.length > 0) return { lineNumbers: [], problems }
    lines.push(csvLine(columns.map((column) => values[column] ?? null)))
    return { lineNumbers: [lines.length], problems }
  })
  const content = Buffer.from(lines.map((line) => `${line}${lineEnd}`).join(''))
  return { content, mediaType: 'text/csv', extension: '.csv', items }
}
