import type { District } from '#platform/http/district.ts'
import { traced } from '#platform/http/context.ts'
import { invoiceRoutes, invoiceListRoutes } from './invoices/partner-routes.ts'
import { chargeRoutes } from './charges/routes.ts'
import { costRoutes, operatorCostRoutes } from './costs/routes.ts'
import { taxFigureRoutes } from './payroll/tax-figure-routes.ts'
import { priceTableRoutes } from './prices/routes.ts'
import { contributionRuleRoutes } from './contributions/routes.ts'
import { expectedInvoiceRoute } from './prices/expected-routes.ts'
import { moneyAtRiskRoutes } from './at-risk/routes.ts'
import { updateMoneyAtRisk } from './at-risk/update.ts'
import { forecastRoutes, partnerForecastRoutes } from './forecasts/routes.ts'
import { freezeDueForecasts } from './forecasts/freeze.ts'
import { leaverRoutes } from './payroll/leaver-routes.ts'
import { deductionRoutes } from './payroll/deduction-routes.ts'
import { payrollRoutes } from './payroll/routes.ts'
import { claimRoutes } from './claims/routes.ts'
import { closingRoutes } from './closings/routes.ts'
import { invoiceAdminRoutes } from './invoices/routes.ts'

export const money = {
  routes: [
    invoiceRoutes,
    costRoutes,
    chargeRoutes,
    invoiceListRoutes,
    priceTableRoutes,
    contributionRuleRoutes,
    expectedInvoiceRoute,
    operatorCostRoutes,
    taxFigureRoutes,
    payrollRoutes,
    deductionRoutes,
    leaverRoutes,
    forecastRoutes,
    moneyAtRiskRoutes,
    partnerForecastRoutes,
    claimRoutes,
    closingRoutes,
    invoiceAdminRoutes,
  ],
  tasks: [
    {
      kind: 'task-money-at-risk',
      everyMs: 60_000,
      errorMessage: 'the money at risk of movements could not be calculated',
      run: (context, signal) =>
        traced(context, 'worker money-at-risk', () => updateMoneyAtRisk(context, context.today(), signal)),
    },
    {
      kind: 'task-forecasts',
      everyMs: 3_600_000,
      errorMessage: 'forecasts of invoices could not be stored',
      run: (context, signal) =>
        traced(context, 'worker forecasts', () => freezeDueForecasts(context, context.today(), signal)),
    },
  ],
} as const satisfies District
