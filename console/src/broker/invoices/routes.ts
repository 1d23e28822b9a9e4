import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'
import { invoiceSearchOf, invoicesSearchOf } from './search.ts'

export const invoicesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/invoices',
  validateSearch: invoicesSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(import('./invoices-page.tsx')), 'InvoicesPage'),
})

export const invoiceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/invoices/$invoiceId',
  validateSearch: invoiceSearchOf,
  component: lazyRouteComponent(() => scriptOfPage(import('./invoice-page.tsx')), 'InvoicePage'),
})
