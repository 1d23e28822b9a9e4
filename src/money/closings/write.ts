import { v7 as uuidv7 } from 'uuid'
import { findClosing, findClosingOf, lockMonths, putClosing } from '../months/queries.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { checklistOf, type ListedMonth, openItems } from '../rules/closing.ts'
import { readSharedCharges } from '../costs/cost-list.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteFigures } from '../months/figure-queries.ts'
import { deleteMembersWithoutBenefit } from '#coverage/members/write.ts'
import { readMonthPricing, storeFigures } from './figures.ts'
import { isComputing, isReading, readMonth, setReconciliations } from './queries.ts'
import type { CloseInput } from './schema.ts'

/** The roles that close months, beside `admin`. Only an admin opens one again. */
export const mayClose = ['finance'] as const

/** The invoices of the contracts, as a closing keeps them. */
function figuresOf(contracts: readonly ListedMonth[]) {
  return contracts.map((contract) => ({
    'contract-id': contract.contractId,
    'carrier-total': contract.carrierTotal,
    'expected-total': contract.expectedTotal,
    discrepancy: contract.discrepancy,
    'claimed-total': contract.claimedTotal,
  }))
}

/**
 * Closes a month of a company: its comparisons are closed, nothing that its figures follow from is written any more, and its figures are stored.
 * @returns the id of the closing.
 * @throws ApiError 404, 400 for a month to come, 409 when it is closed, while a file is read or compared, and without a reason when something is not done.
 */
export async function closeMonth(context: Context, actor: ClientActor, body: CloseInput): Promise<string> {
  const { 'reference-month': month } = body
  const reason = body.reason?.trim() ?? null
  if (month > context.today().slice(0, 7)) {
    throw invalidBody([{ field: 'reference-month', code: 'invalid', message: { key: 'not-in-future' } }])
  }
  return write(context, actor, { may: mayClose }, async (tx) => {
    const companyId = await requireCompany(tx, body['company-tax-id'])
    await lockMonths(tx, companyId)
    const former = await findClosingOf(tx, companyId, month)
    if (former !== null && former.status !== 'open') throw new ApiError('month-closed', { 'reference-month': month })
    if (await isReading(tx, companyId, month)) throw new ApiError('carrier-file-status', { status: 'reading' })
    if (await isComputing(tx, companyId, month)) throw new ApiError('reconciliation-status', { status: 'computing' })
    const contracts = await readMonth(tx, companyId, month)
    const open = openItems(checklistOf(contracts, 'open'))
    if (open.length > 0 && reason === null) throw new ApiError('closing-open-items', { 'open-items': open })
    const id = former?.id ?? uuidv7()
    await setReconciliations(tx, companyId, month, 'closed')
    const act = {
      act: 'closed',
      at: tx.at().toISOString(),
      by: actor.clientId,
      reason,
      'open-items': open,
      figures: figuresOf(contracts),
    }
    const charges = await readSharedCharges(tx, companyId, month)
    const pricing = await readMonthPricing(tx, companyId, month)
    const figures = { contracts, missingSettings: pricing.missingSettings }
    await putClosing(tx, { companyId, id, referenceMonth: month, status: 'closed', figures }, act, tx.at())
    await storeFigures(tx, { companyId, id }, month, pricing, charges)
    tx.audit({ action: 'closing.closed', target: id, companyId })
    return id
  })
}

/** Opens a closed month again. @throws ApiError 403 for who is no admin, 404, 409 when it is open. */
export async function reopenMonth(context: Context, actor: ClientActor, id: string, reason: string): Promise<void> {
  await write(context, actor, { may: [] }, async (tx) => {
    const found = await findClosing(tx, id)
    if (found === null) throw new ApiError('closing-not-found')
    const { companyId, referenceMonth } = found
    await lockMonths(tx, companyId)
    if ((await findClosing(tx, id))?.status === 'open') throw new ApiError('month-open')
    await setReconciliations(tx, companyId, referenceMonth, 'open')
    const at = tx.at().toISOString()
    const act = { act: 'reopened', at, by: actor.clientId, reason }
    const withoutBenefit = await deleteFigures(tx, found)
    // The figures alone kept them.
    await deleteMembersWithoutBenefit(tx, companyId, withoutBenefit)
    await putClosing(tx, { ...found, status: 'open', figures: null }, act, tx.at())
    tx.audit({ action: 'closing.reopened', target: id, companyId })
  })
}
