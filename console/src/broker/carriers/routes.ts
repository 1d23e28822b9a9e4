import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { contractsSearchOf } from './search.ts'

export const contractsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers',
  validateSearch: contractsSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./contracts-page.tsx'))), 'ContractsPage'),
})

export const newContractRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/contracts/new',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./new-contract-page.tsx'))),
    'NewContractPage',
  ),
})

export const contractRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/contracts/$contractId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./contract-page.tsx'))), 'ContractPage'),
})

export const editContractRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/contracts/$contractId/edit',
  component: lazyRouteComponent(
    () => scriptOfPage(withLaterTexts(import('./edit-contract-page.tsx'))),
    'EditContractPage',
  ),
})

export const channelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/contracts/$contractId/channel',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./channel-page.tsx'))), 'ChannelPage'),
})

export const calendarRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/calendar',
  validateSearch: ({ month }: Record<string, unknown>): { month?: string } =>
    typeof month === 'string' && /^2[01]\d{2}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./calendar-page.tsx'))), 'CalendarPage'),
})
