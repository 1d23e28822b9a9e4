import { type ContinuationSettings, settingsOfProduct } from '#coverage/continuations/contract-queries.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import { refusalOfItems } from '#coverage/rules/continuation.ts'
import type { ExclusionDetails } from '#coverage/rules/exclusion-details.ts'

/**
 * Makes ordinary exclusions of those that ask for an extension plan to which there is no right, or that was declined. `continuation_refusal` says why,
 * and becomes a continuation when the exclusion completes.
 */
export async function settleExtensions(sql: Sql, companyId: string, enrollmentIds: readonly string[]): Promise<void> {
  if (enrollmentIds.length === 0) return
  const asked = await sql.query<{ id: string; details: ExclusionDetails; settings: ContinuationSettings | null }>(
    `select enrollment.id, enrollment.data->'exclusion-details' as details, ${settingsOfProduct('$1')} as settings
     from enrollment join product on product.company_id = $1 and product.id = enrollment.product_id
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
       and (enrollment.data->'exclusion-details'->>'extension-plan')::boolean`,
    [companyId, enrollmentIds],
  )
  const refused = asked.flatMap(({ id, details, settings }) => {
    const refusal = refusalOfItems(details, {
      isPostPaid: settings?.postPaid ?? false,
      remainder: settings?.remainder ?? null,
    })
    return refusal === null ? [] : [{ id, refusal }]
  })
  if (refused.length === 0) return
  await sql.execute(
    `update enrollment set continuation_refusal = refused.refusal,
       data = jsonb_set(enrollment.data, '{exclusion-details,extension-plan}', 'false')
     from json_to_recordset($2::json) as refused(id uuid, refusal text)
     where enrollment.company_id = $1 and enrollment.id = refused.id`,
    [companyId, Records.of(refused)],
  )
}
