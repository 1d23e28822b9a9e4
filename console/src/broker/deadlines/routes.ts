import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { deadlinesSearchOf } from './search.ts'

export const deadlinesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/deadlines',
  validateSearch: deadlinesSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./deadlines-page.tsx'))), 'DeadlinesPage'),
})
