import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { parseMovementSearch } from './movement-search.ts'

export const movementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue/$enrollmentId',
  validateSearch: parseMovementSearch,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./movement-page.tsx'))), 'MovementPage'),
})
