import type { District } from '#platform/http/district.ts'
import { traced } from '#platform/http/context.ts'
import { deleteUnusedDocuments } from './documents/retention.ts'
import { documentRoutes } from './documents/partner-routes.ts'
import { companyRoutes } from './companies/partner-routes.ts'
import { requirementRoutes } from './requirements/partner-routes.ts'
import { companyAdminRoutes } from './companies/routes.ts'
import { companyRosterRoutes } from './companies/roster-routes.ts'
import { carrierRoutes } from './carriers/routes.ts'
import { contractRoutes } from './contracts/routes.ts'
import { companyCutOffRoutes, contractCalendarRoutes } from './calendar/routes.ts'
import { layoutRoutes } from './layouts/routes.ts'
import { requirementRuleRoutes } from './requirements/routes.ts'
import { enrollmentDocumentRoutes } from './documents/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { legalHoldRoutes } from './legal-holds/routes.ts'

const hour = 3_600_000

export const registry = {
  routes: [
    documentRoutes,
    companyRoutes,
    requirementRoutes,
    companyAdminRoutes,
    companyRosterRoutes,
    carrierRoutes,
    contractRoutes,
    contractCalendarRoutes,
    companyCutOffRoutes,
    layoutRoutes,
    requirementRuleRoutes,
    enrollmentDocumentRoutes,
    legalHoldRoutes,
    settingsRoutes,
  ],
  tasks: [
    {
      kind: 'task-documents',
      everyMs: hour,
      errorMessage: 'unused documents could not be deleted',
      run: (context, signal) => traced(context, 'worker sweep', () => deleteUnusedDocuments(context, signal)),
    },
  ],
} as const satisfies District
