import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { parseQueueSearch } from './queue-search.ts'

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/queue',
  validateSearch: parseQueueSearch,
  component: lazyRouteComponent(() => scriptOfPage(import('./queue-page.tsx')), 'QueuePage'),
})
