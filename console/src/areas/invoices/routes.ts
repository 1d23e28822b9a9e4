import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { invoicesSearchOf } from './search.ts'

export const invoicesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/invoices',
  validateSearch: invoicesSearchOf,
  component: lazyRouteComponent(() => import('./invoices-page.tsx'), 'InvoicesPage'),
})

export const invoiceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/invoices/$invoiceId',
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
})
