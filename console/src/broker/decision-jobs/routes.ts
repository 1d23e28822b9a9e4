import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'

export const decisionJobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/decision-jobs',
  component: lazyRouteComponent(() => withLaterTexts(import('./decision-jobs-page.tsx')), 'DecisionJobsPage'),
})

export const decisionJobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/decision-jobs/$jobId',
  component: lazyRouteComponent(() => withLaterTexts(import('./decision-job-page.tsx')), 'DecisionJobPage'),
})
