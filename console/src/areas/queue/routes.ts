import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { parseQueueSearch } from './queue-search.ts'

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue',
  validateSearch: parseQueueSearch,
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
})
