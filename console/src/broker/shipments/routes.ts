import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ITEM_STATUSES, type ItemStatus } from '../../../../src/kernel/operator-enums.ts'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const shipmentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/shipments/$shipmentId',
  validateSearch: ({ status }: Record<string, unknown>): { status?: ItemStatus } => {
    const known = ITEM_STATUSES.find((one) => one === status)
    return known === undefined ? {} : { status: known }
  },
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./shipment-page.tsx'))), 'ShipmentPage'),
})

export const workSheetRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/carriers/shipments/$shipmentId/work-sheet',
  validateSearch: ({ position }: Record<string, unknown>): { position?: number } =>
    /^[1-9]\d{0,4}$/.test(String(position)) ? { position: Number(position) } : {},
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./work-sheet-page.tsx'))), 'WorkSheetPage'),
})
