import { requireOpenSince } from '../months/open-month.ts'
import type { Actor } from '#platform/core/actor.ts'
import { type Detail, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { lockContractCompany, lockNewIds, putDatedRow } from '../prices/queries.ts'
import { deletionOf, mayWritePrices } from '../prices/put.ts'
import { hasPlan, readContributionRule } from './queries.ts'
import type { ContributionRuleInput } from './schema.ts'

/** Creates or replaces a rule. @throws ApiError 404 for an unknown contract, 400, 409 when a month that it is for is closed. */
export async function putContributionRule(
  context: Context,
  actor: Actor,
  id: string,
  body: ContributionRuleInput,
): Promise<void> {
  await write(context, actor, { may: mayWritePrices }, async (tx) => {
    const coparticipation = body['coparticipation-employee-share'] ?? null
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
    const row = {
      contract_id: contractId,
      product_id: productId,
      valid_from: validFrom,
      primary_share: JSON.stringify(body['primary-employee-share']),
      dependent_share: JSON.stringify(body['dependent-employee-share']),
      coparticipation_share: coparticipation && JSON.stringify(coparticipation),
      cost_centers: body['cost-centers'] ?? [],
      job_titles: body['job-titles'] ?? [],
    }
    await putDatedRow(tx, 'contribution_rule', { companyId, id }, row, tx.at())
    const action = stored === null ? 'contribution-rule.created' : 'contribution-rule.replaced'
    tx.audit({ action, target: id, companyId })
  })
}

export const deleteContributionRule = deletionOf('contribution-rule', readContributionRule)
