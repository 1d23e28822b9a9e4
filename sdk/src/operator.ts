import { clientOf } from './client.ts'
import { operatorGroups, operatorOperations } from './generated/operator.ts'
import { serviceOperations } from './generated/service.ts'
import { CarrierFiles } from './operator/carrier-files.ts'
import { DecisionJobs } from './operator/decision-jobs.ts'
import { Documents } from './operator/documents.ts'
import { Enrollments } from './operator/enrollments.ts'
import { Imports } from './operator/imports.ts'
import { Invoices } from './operator/invoices.ts'
import { Requests } from './operator/requests.ts'
import { Roster } from './operator/roster.ts'
import { Tables } from './operator/tables.ts'
import { Shipments } from './operator/shipments.ts'
import { Session } from './operator/session.ts'
import { Service } from './service.ts'

const table = { ...serviceOperations, ...operatorOperations }
const byHand = {
  carrierFiles: CarrierFiles,
  decisionJobs: DecisionJobs,
  documents: Documents,
  enrollments: Enrollments,
  imports: Imports,
  invoices: Invoices,
  session: Session,
  requests: Requests,
  roster: Roster,
  shipments: Shipments,
  tables: Tables,
  service: Service,
}

/**
 * A client of the operator API. Movements have an Idempotency-Key, as in that of partners. Another POST takes none: one whose response was lost is
 * not sent again, and is an error.
 *
 *   const operator = new VigenciaOperator({ url, clientId, clientSecret })
 *   await operator.enrollments.transition(id, { status: 'completed' })
 */
export class VigenciaOperator extends clientOf(table, { ...operatorGroups, ...byHand }) {}

export type { JobOptions } from './operator/decision-jobs.ts'
export type { OperatorRosterOptions } from './roster.ts'
