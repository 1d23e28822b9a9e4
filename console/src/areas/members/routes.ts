import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

export const memberRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members/$memberId',
  component: lazyRouteComponent(() => import('./member-page.tsx'), 'MemberPage'),
})
