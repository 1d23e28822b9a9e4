import { byCompany } from '#platform/core/by-company.ts'
import { Records } from '#platform/core/records.ts'
import { isPending } from '#coverage/rules/enrollment-status.ts'
import type { Step } from '../rules/transitions.ts'
import type { CompanyWrite } from './types.ts'

/** The carrier has answered, by an acknowledgement or to an operator. */
const isAnswer = ({ status }: Pick<Step, 'status'>) =>
  status === 'completed' || status === 'rejected' || isPending(status)

/** A step, and the company whose shipments have the movement: of a change of company the destination. */
type SentStep = Pick<Step, 'id' | 'status'> & { readonly companyId: string }

/**
 * Sets what became of the sent items of shipments whose movements changed their status, and the status of these shipments. The families of the
 * movements must be locked.
 */
export async function answerItems(sql: CompanyWrite['sql'], at: Date, steps: readonly SentStep[]): Promise<void> {
  for (const [companyId, answers] of byCompany(steps.filter(isAnswer))) {
    const answered = await sql.query<{ id: string }>(
      `update shipment_item set status = case when answer.status = 'completed' then 'accepted' else 'refused' end, updated_at = $2
       from json_to_recordset($3::json) as answer(id uuid, status text)
       where shipment_item.company_id = $1 and shipment_item.enrollment_id = answer.id and shipment_item.side is distinct from 'leaving'
         and shipment_item.status in ('sent', 'unanswered')
       returning shipment_item.shipment_id as id`,
      [companyId, at, Records.of(answers.map(({ id, status }) => ({ id, status })))],
    )
    const ids = [...new Set(answered.map(({ id }) => id))]
    if (ids.length > 0) await setAnsweredStatuses({ sql, companyId, at }, ids)
  }
}

/** Sets the statuses of shipments that have answered items. */
export async function setAnsweredStatuses({ sql, companyId, at }: CompanyWrite, ids: readonly string[]): Promise<void> {
  // The second of two transactions that answer the last items sees those of the first.
  await sql.execute(
    'select from shipment where company_id = $1 and id = any($2::uuid[]) order by id for no key update',
    [companyId, ids],
  )
  // Ordered, because a plan without order may look for an unanswered item among those of all shipments. From the end: they are answered from the beginning.
  await sql.execute(
    `update shipment set updated_at = $3, status = coalesce((
         select 'partly-acknowledged' from shipment_item where shipment_item.company_id = $1 and shipment_item.shipment_id = shipment.id
           and shipment_item.status in ('ready', 'sent') order by shipment_item.position desc limit 1), 'acknowledged')
     where company_id = $1 and id = any($2::uuid[]) and status in ('sent', 'partly-acknowledged')`,
    [companyId, ids, at],
  )
}
