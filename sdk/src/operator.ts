import { operatorOperations } from './generated/operator.ts'
import { serviceOperations } from './generated/service.ts'
import { DecisionJobs } from './operator/decision-jobs.ts'
import { Imports, OperatorEnrollments } from './operator/enrollments.ts'
import { OperatorInvoices } from './operator/invoices.ts'
import { Operations } from './operations.ts'
import {
  Audit,
  Clients,
  OperatorBenefits,
  OperatorCompanies,
  OperatorMembers,
  OperatorRequests,
  Operators,
  Statistics,
} from './operator/registry.ts'
import { Sessions } from './operator/session.ts'
import { OperatorWebhooks } from './operator/webhooks.ts'
import { Service } from './service.ts'
import { Transport } from './transport.ts'
import type { ClientOptions } from './types.ts'

/**
 * A client of the operator API. A POST of it takes no Idempotency-Key: one whose response was lost is not sent again, and is an error.
 *
 *   const operator = new VigenciaOperator({ url, clientId, clientSecret })
 *   await operator.enrollments.transition(id, { status: 'completed' })
 */
export class VigenciaOperator {
  readonly companies: OperatorCompanies
  readonly clients: Clients
  readonly operators: Operators
  readonly enrollments: OperatorEnrollments
  readonly decisionJobs: DecisionJobs
  readonly imports: Imports
  readonly invoices: OperatorInvoices
  readonly members: OperatorMembers
  readonly benefits: OperatorBenefits
  readonly requests: OperatorRequests
  readonly statistics: Statistics
  readonly webhooks: OperatorWebhooks
  readonly audit: Audit
  readonly session: Sessions
  readonly service: Service
  readonly operations: Operations

  /** @throws TypeError for a URL that is none. */
  constructor(options: ClientOptions) {
    const transport = new Transport(options, { ...serviceOperations, ...operatorOperations })
    this.companies = new OperatorCompanies(transport)
    this.clients = new Clients(transport)
    this.operators = new Operators(transport)
    this.enrollments = new OperatorEnrollments(transport)
    this.decisionJobs = new DecisionJobs(transport)
    this.imports = new Imports(transport)
    this.invoices = new OperatorInvoices(transport)
    this.members = new OperatorMembers(transport)
    this.benefits = new OperatorBenefits(transport)
    this.requests = new OperatorRequests(transport)
    this.statistics = new Statistics(transport)
    this.webhooks = new OperatorWebhooks(transport)
    this.audit = new Audit(transport)
    this.session = new Sessions(transport)
    this.service = new Service(transport)
    this.operations = new Operations(transport)
  }
}

export type { JobOptions } from './operator/decision-jobs.ts'
