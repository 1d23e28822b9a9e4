import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ListedRule } from './rule.ts'

/** All rules: an installation has 500 at most. */
export const allRules = queryOptions({
  queryKey: ['listRequirementRules', 'all'],
  queryFn: async ({ signal }) => {
    const rules: ListedRule[] = []
    for await (const rule of api.requirementRules.list({ 'items-per-page': 500 }, { signal })) {
      rules.push(rule)
    }
    return rules
  },
})
