import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withLaterTexts } from '../../language/language.ts'
import { shellRoute } from '../../shell/root-routes.ts'
import { scriptOfPage } from '../../shell/script-of-page.ts'

export const hrInvoicesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/invoices',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./invoices-page.tsx'))), 'InvoicesPage'),
})

export const hrInvoiceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/hr/invoices/$invoiceId',
  component: lazyRouteComponent(() => scriptOfPage(withLaterTexts(import('./invoice-page.tsx'))), 'InvoicePage'),
})
