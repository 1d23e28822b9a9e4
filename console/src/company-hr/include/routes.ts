import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrIncludeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/include',
  /** For a dependent of a person who is covered already: the id of the primary. */
  validateSearch: ({ primary }: Record<string, unknown>): { primary?: string } =>
    typeof primary === 'string' && primary !== '' ? { primary } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./include-page.tsx'))), 'IncludePage'),
})
