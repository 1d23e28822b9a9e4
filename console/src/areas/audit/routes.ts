import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { auditSearchOf } from './search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})
