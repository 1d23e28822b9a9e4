import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { mayReadMoney, mayWritePrices } from '../prices/put.ts'
import { ContractQuery } from '../prices/schema.ts'
import { deleteContributionRule, putContributionRule } from './put.ts'
import { contributionRulePage, readContributionRule } from './queries.ts'
import { ContributionRuleBody, ContributionRule } from './schema.ts'

const example = '01995e0f-3c21-7d33-8e44-7f8091021324'

/** `/operator/v1/contribution-rule`: which part of the premiums employees pay. */
export async function contributionRuleRoutes(app: App, context: Context): Promise<void> {
  const contributionRule = resource(app, context, {
    noun: 'contribution-rule',
    mayRead: mayReadMoney,
    mayWrite: mayWritePrices,
    item: ContributionRule,
    read: readContributionRule,
    columns: {
      'CONTRIBUTION-RULE-ID': 'contribution-rule-id',
      'CONTRACT-ID': 'contract-id',
      'PRODUCT-ID': 'product-id',
      'VALID-FROM': 'valid-from',
    },
  })

  contributionRule.put({
    summary: 'Create or replace a contribution rule',
    description:
      'For a person the rule with the most conditions counts, of equal ones the latest; a dependent has the cost center and the job title of its primary. The ' +
      'contract stays. A rule that a closed month may follow from does not change.',
    cli: {
      file: true,
      examples: { [`contribution-rule put ${example} rule.json`]: 'the file is the body of the PUT' },
    },
    errors: ['contract-not-found', 'month-closed'],
    body: json(ContributionRuleBody),
    run: (actor, id, body) => putContributionRule(context, actor, id, body),
  })
  contributionRule.remove({
    summary: 'Delete a contribution rule',
    description: 'Not one that a closed month may follow from.',
    errors: ['month-closed'],
    run: (actor, id) => deleteContributionRule(context, actor, id),
  })
  contributionRule.list({
    summary: 'List the contribution rules',
    description: 'Ordered by contract, the latest first.',
    query: ContractQuery,
    page: contributionRulePage,
  })
  contributionRule.get({
    summary: 'Read a contribution rule',
    description: 'Which part of the premiums the employees of a contract pay.',
  })
}
