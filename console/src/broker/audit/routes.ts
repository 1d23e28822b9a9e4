import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { auditSearchOf } from './search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./audit-page.tsx'))), 'AuditPage'),
})
