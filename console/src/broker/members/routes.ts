import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { memberSearchOf, membersSearchOf } from './search.ts'

export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  validateSearch: membersSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(import('./members-page.tsx')), 'MembersPage'),
})

export const memberRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members/$memberId',
  validateSearch: memberSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./member-page.tsx'))), 'MemberPage'),
})
