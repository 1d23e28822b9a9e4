import { requireOpenSince } from '../months/open-month.ts'
import type { Actor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { lockContractCompany, lockNewIds } from '../prices/queries.ts'
import { mayWritePrices } from '../prices/put.ts'
import { deleteContributionRuleRow, hasPlan, putContributionRuleRow, readContributionRule } from './queries.ts'
import type { ContributionRuleInput } from './schema.ts'

/** Creates or replaces a rule. @throws ApiError 404 for an unknown contract, 400, 409 when a month that it is for is closed. */
export async function putContributionRule(
  context: Context,
  actor: Actor,
  id: string,
  body: ContributionRuleInput,
): Promise<void> {
  await write(context, actor, { may: mayWritePrices }, async (tx) => {
    const { 'contract-id': contractId, 'product-id': productId = null, 'valid-from': validFrom } = body
    const companyId = await lockContractCompany(tx, contractId)
    await lockNewIds(tx, 'contribution_rule')
    const stored = await readContributionRule(tx, id)
    const errors: Detail[] = []
    if (stored !== null && stored['contract-id'] !== contractId) {
      errors.push({ field: 'contract-id', code: 'invalid', message: { key: 'not-another' } })
    }
    if (productId !== null && !(await hasPlan(tx, companyId, contractId, productId))) {
      errors.push({ field: 'product-id', code: 'unknown' })
    }
    if (errors.length > 0) throw invalidBody(errors)
    await requireOpenSince(tx, companyId, validFrom, stored?.['valid-from'])
    await putContributionRuleRow(tx, companyId, id, body, tx.at())
    const action = stored === null ? 'contribution-rule.created' : 'contribution-rule.replaced'
    tx.audit({ action, target: id, companyId })
  })
}

/** Deletes a rule. @throws ApiError 404, 409 when a month that it is for is closed. */
export async function deleteContributionRule(context: Context, actor: Actor, id: string): Promise<void> {
  await write(context, actor, { may: mayWritePrices }, async (tx) => {
    const found = await readContributionRule(tx, id)
    if (found === null) throw new ApiError('contribution-rule-not-found')
    const companyId = await lockContractCompany(tx, found['contract-id'])
    await requireOpenSince(tx, companyId, found['valid-from'])
    await deleteContributionRuleRow(tx, companyId, id)
    tx.audit({ action: 'contribution-rule.deleted', target: id, companyId })
  })
}
