import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { type Direction, directions } from './layout.ts'

export const layoutsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/layouts',
  validateSearch: ({ direction }: Record<string, unknown>): { direction?: Direction } => {
    const known = directions.find((one) => one === direction)
    return known === undefined ? {} : { direction: known }
  },
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./layouts-page.tsx'))), 'LayoutsPage'),
})

/** `copy`: the layout that it begins with. */
export const newLayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/layouts/new',
  validateSearch: ({ copy }: Record<string, unknown>): { copy?: string } =>
    typeof copy === 'string' && copy !== '' ? { copy } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./new-layout-page.tsx'))), 'NewLayoutPage'),
})

export const layoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/layouts/$layoutId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./layout-page.tsx'))), 'LayoutPage'),
})

export const editLayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/layouts/$layoutId/edit',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./edit-layout-page.tsx'))), 'EditLayoutPage'),
})
