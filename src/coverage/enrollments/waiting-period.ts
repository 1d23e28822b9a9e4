import { REGULATED_PRODUCT_TYPES } from '../rules/deadline.ts'
import { type WaitingPeriod, type WaitingPeriodFacts, waitingPeriodOf } from '../rules/waiting-period.ts'
import { hasRule } from './kind.ts'

/** null: no inclusion in a health or dental plan. */
export type StoredWaitingPeriodFacts =
  | (Omit<WaitingPeriodFacts, 'lives' | 'contractStart'> & {
      readonly contract: Pick<WaitingPeriodFacts, 'lives' | 'contractStart'> | null
    })
  | null

const regulated = REGULATED_PRODUCT_TYPES.map((type) => `'${type}'`).join(', ')

/** SQL of the facts, over `enrollment` and its `product`. */
export const waitingPeriodFacts = `case when ${hasRule('enrollment.enrollment_type', 'createsBenefit')} and product.product_type in (${regulated})
  then json_build_object('acceptedOn', enrollment.accepted_on, 'eventDate', enrollment.event_date, 'newbornDate', enrollment.newborn_date,
    'contract', (
      select json_build_object('lives', contract.lives, 'contractStart', contract.contract_start)
      from contract_plan join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
      where contract_plan.company_id = enrollment.company_id and contract_plan.active_product_id = enrollment.product_id)) end`

/** The waiting period of a movement. */
export function storedWaitingPeriod(facts: StoredWaitingPeriodFacts): WaitingPeriod | null {
  if (facts === null) return null
  const { contract, ...own } = facts
  return waitingPeriodOf({ ...own, ...(contract ?? { lives: null, contractStart: null }) })
}
