import type { District } from '#platform/http/district.ts'
import { invoiceRoutes, invoiceListRoutes } from './invoices/partner-routes.ts'
import { costRoutes, operatorCostRoutes } from './costs/routes.ts'
import { priceTableRoutes } from './prices/routes.ts'
import { contributionRuleRoutes } from './contributions/routes.ts'
import { expectedInvoiceRoute } from './prices/expected-routes.ts'
import { payrollRoutes } from './payroll/routes.ts'
import { claimRoutes } from './claims/routes.ts'
import { closingRoutes } from './closings/routes.ts'
import { invoiceAdminRoutes } from './invoices/routes.ts'

export const money = {
  routes: [
    invoiceRoutes,
    costRoutes,
    invoiceListRoutes,
    priceTableRoutes,
    contributionRuleRoutes,
    expectedInvoiceRoute,
    operatorCostRoutes,
    payrollRoutes,
    claimRoutes,
    closingRoutes,
    invoiceAdminRoutes,
  ],
} as const satisfies District
