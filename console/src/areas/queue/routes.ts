import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue',
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
})
