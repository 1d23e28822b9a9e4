import type { Sql } from '#platform/core/database.ts'
import { memberName, productOf } from '#coverage/enrollments/queries.ts'
import { sideIn } from '#registry/contracts/sides.ts'
import type { ItemStatus } from '#kernel/operator-enums.ts'
import { problemMessage } from '#registry/layouts/problems.ts'
import type { ItemProblem } from '#registry/layouts/types.ts'
import { sentenceOf } from '#kernel/texts/messages.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { Page } from '#platform/http/page.ts'
import type { ShipmentKey } from './write.ts'

/** SQL of what an item has of its movement, over `enrollment` and `product`. */
const movementFields = `'enrollment-id', enrollment.id, 'enrollment-type', enrollment.enrollment_type, 'enrollment-status', enrollment.status,
  'member-type', enrollment.member_type, 'member-name', ${memberName}, 'member-tax-id', enrollment.member_tax_id,
  'product-id', product.id, 'product-name', product.name`

/** A page of the items of a shipment that was closed. */
export async function listItems(
  sql: Sql,
  { companyId, id }: ShipmentKey,
  status: ItemStatus | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page> {
  const [page] = await sql.queryPlanned<Page>(
    `with item as materialized (
       select * from shipment_item where company_id = $1 and shipment_id = $2 and ($3::text is null or status = $3)
     )
     select (select count(*) from item) as total,
       (select coalesce(json_agg(json_build_object(${movementFields}, 'position', item.position, 'side', item.side, 'status', item.status, 'reason', item.reason,
           'problems', '[]'::json, 'line-numbers', item.line_numbers, 'sheets', item.sheets, 'carrier-protocol', item.carrier_protocol,
           'carrier-code', item.carrier_code, 'carrier-message', item.carrier_message,
           'waits-for-primary', item.waiting_enrollment_id is not null) order by item.position), '[]')::text
        from (select * from item order by position limit $4 offset $5) item
        join enrollment on enrollment.company_id = item.company_id and enrollment.id = item.enrollment_id
        join product on ${productOf('enrollment')}) as items`,
    [companyId, id, status, limit, offset],
  )
  return page ?? { total: 0, items: '[]' }
}

/** An item of an open shipment: as its file would have it now. */
export interface OpenItem {
  readonly enrollmentId: string
  /** Null with problems. */
  readonly position: number | null
  readonly lineNumbers: readonly number[]
  readonly sheets?: readonly string[]
  readonly dependentBenefitIds: readonly string[]
  readonly problems: readonly ItemProblem[]
}

/** Items of an open shipment in wire keys, in their order. */
export async function readOpenItems(
  sql: Sql,
  { companyId, contractId }: { readonly companyId: string; readonly contractId: string },
  items: readonly OpenItem[],
  language: Language,
): Promise<Record<string, unknown>[]> {
  const rows = await sql.query<{ id: string; item: Record<string, unknown> }>(
    `select enrollment.id, json_build_object(${movementFields}, 'side', ${sideIn('enrollment', '$3::uuid')}) as item
     from enrollment join product on ${productOf('enrollment')}
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])`,
    [companyId, items.map(({ enrollmentId }) => enrollmentId), contractId],
  )
  const movements = new Map(rows.map(({ id, item }) => [id, item]))
  return items.map(({ enrollmentId, position, lineNumbers, sheets = [], problems }) => ({
    ...movements.get(enrollmentId),
    position,
    status: problems.length > 0 ? 'not-ready' : 'ready',
    reason: null,
    problems: problemsIn(language, problems),
    'line-numbers': lineNumbers,
    sheets,
    'carrier-protocol': null,
    'carrier-code': null,
    'carrier-message': null,
    'waits-for-primary': false,
  }))
}

/** Problems with a sentence each: what is wrong, and what to do. */
export function problemsIn(language: Language, problems: readonly ItemProblem[]) {
  return problems.map((problem) => {
    const { code, field, column, benefitId = null } = problem
    return { code, field, column, 'benefit-id': benefitId, message: sentenceOf(problemMessage(problem), language) }
  })
}
