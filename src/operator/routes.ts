import type { App, Service } from '../service.ts'
import { auditRoutes } from './audit.ts'
import { clientRoutes } from './clients.ts'
import { companyAdminRoutes } from './companies.ts'
import { enrollmentQueueRoutes } from './enrollments.ts'
import { entitlementRoutes } from './entitlements.ts'
import { operatorAccountRoutes } from './operators.ts'

/** The operator's door: everything under `/operator/v1`. */
export async function operatorRoutes(app: App, service: Service): Promise<void> {
  for (const routes of [
    companyAdminRoutes,
    clientRoutes,
    entitlementRoutes,
    operatorAccountRoutes,
    enrollmentQueueRoutes,
    auditRoutes,
  ]) {
    await routes(app, service)
  }
}
