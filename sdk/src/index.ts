import { clientOf } from './client.ts'
import { partnerGroups, partnerOperations } from './generated/partner.ts'
import { serviceOperations } from './generated/service.ts'
import { Documents } from './partner/documents.ts'
import { Members } from './partner/members.ts'
import { Requests } from './partner/requests.ts'
import { Roster } from './partner/roster.ts'
import { Tables } from './partner/tables.ts'
import { Service } from './service.ts'
import { webhooks } from './webhooks.ts'

const table = { ...serviceOperations, ...partnerOperations }
const groups = {
  ...partnerGroups,
  documents: Documents,
  members: Members,
  requests: Requests,
  roster: Roster,
  service: Service,
  tables: Tables,
}

/**
 * A client of the partner API.
 *
 *   const vigencia = new Vigencia({ url, clientId, clientSecret })
 *   for await (const member of vigencia.members.stream()) ...
 */
export class Vigencia extends clientOf(table, groups) {
  readonly webhooks: typeof webhooks = webhooks
}

export { webhooks, type WebhookHeaders } from './webhooks.ts'
export * from './errors.ts'
export type { Destination, Download, Saved } from './files.ts'
export type { List, Page } from './list.ts'
export type { Call, RawBody } from './transport.ts'
export type { UploadOptions } from './upload.ts'
export type { RequestReference, WaitOptions } from './requests.ts'
export type { RosterComparison, RosterMember, RosterOptions, RosterProgress, RosterSource } from './roster.ts'
export type * from './types.ts'
