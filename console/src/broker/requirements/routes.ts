import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const requirementRulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requirements',
  validateSearch: ({ carrier }: Record<string, unknown>): { carrier?: string } =>
    typeof carrier === 'string' && carrier !== '' ? { carrier } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./rules-page.tsx'))), 'RulesPage'),
})

export const newRequirementRuleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requirements/new',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./new-rule-page.tsx'))), 'NewRulePage'),
})

export const requirementRuleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requirements/$ruleId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./edit-rule-page.tsx'))), 'EditRulePage'),
})
