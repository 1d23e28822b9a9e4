import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrExcludeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/people/$memberId/exclude',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./exclude-page.tsx'))), 'ExcludePage'),
})
