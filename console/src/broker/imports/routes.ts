import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const importsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/imports',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./imports-page.tsx'))), 'ImportsPage'),
})

export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./import-page.tsx'))), 'ImportPage'),
})
