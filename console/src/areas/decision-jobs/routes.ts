import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const decisionJobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/decision-jobs',
  component: lazyRouteComponent(() => import('./decision-jobs-page.tsx'), 'DecisionJobsPage'),
})

export const decisionJobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/decision-jobs/$jobId',
  component: lazyRouteComponent(() => import('./decision-job-page.tsx'), 'DecisionJobPage'),
})
