import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrCorrectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/people/$memberId/correct',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./correct-page.tsx'))), 'CorrectPage'),
})

export const hrPlanRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/people/$memberId/plan',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./plan-page.tsx'))), 'PlanPage'),
})
