import { partnerOperations } from './generated/partner.ts'
import { serviceOperations } from './generated/service.ts'
import { Operations } from './operations.ts'
import { Credentials } from './partner/credentials.ts'
import { Documents } from './partner/documents.ts'
import { Invoices } from './partner/invoices.ts'
import { Alterations, Enrollments, Exclusions, Inclusions } from './partner/movements.ts'
import { Requests } from './partner/requests.ts'
import { Benefits, Companies, Members, Products } from './partner/roster.ts'
import { WebhookEndpoints, WebhookEvents } from './partner/webhooks.ts'
import { Service } from './service.ts'
import { Transport } from './transport.ts'
import type { ClientOptions } from './types.ts'
import { webhooks } from './webhooks.ts'

/**
 * A client of the partner API.
 *
 *   const vigencia = new Vigencia({ url, clientId, clientSecret })
 *   for await (const member of vigencia.members.stream()) ...
 */
export class Vigencia {
  readonly inclusions: Inclusions
  readonly exclusions: Exclusions
  readonly alterations: Alterations
  readonly enrollments: Enrollments
  readonly requests: Requests
  readonly members: Members
  readonly benefits: Benefits
  readonly companies: Companies
  readonly products: Products
  readonly documents: Documents
  readonly invoices: Invoices
  readonly webhookEndpoints: WebhookEndpoints
  readonly webhookEvents: WebhookEvents
  readonly webhooks: typeof webhooks = webhooks
  readonly credentials: Credentials
  readonly service: Service
  readonly operations: Operations

  /** @throws TypeError for a URL that is none. */
  constructor(options: ClientOptions) {
    const transport = new Transport(options, { ...serviceOperations, ...partnerOperations })
    this.inclusions = new Inclusions(transport)
    this.exclusions = new Exclusions(transport)
    this.alterations = new Alterations(transport)
    this.enrollments = new Enrollments(transport)
    this.requests = new Requests(transport)
    this.members = new Members(transport)
    this.benefits = new Benefits(transport)
    this.companies = new Companies(transport)
    this.products = new Products(transport)
    this.documents = new Documents(transport)
    this.invoices = new Invoices(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
    this.webhookEvents = new WebhookEvents(transport)
    this.credentials = new Credentials(transport)
    this.service = new Service(transport)
    this.operations = new Operations(transport)
  }
}

export { webhooks, type WebhookHeaders } from './webhooks.ts'
export * from './errors.ts'
export type { Destination, Download, Saved } from './files.ts'
export type { List, Page } from './list.ts'
export type { Call, RawBody } from './transport.ts'
export type { DownloadOptions } from './partner/invoices.ts'
export type { UploadOptions } from './partner/documents.ts'
export type { WaitOptions } from './partner/requests.ts'
export type * from './types.ts'
