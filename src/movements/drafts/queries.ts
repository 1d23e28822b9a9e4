import { ITEM_STATUS_COUNTS } from '../movement-draft-schema.ts'
import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { equals, oneOf, Parameters } from '#platform/core/parameters.ts'
import type { Sql } from '#platform/core/database.ts'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import type { Page } from '#platform/http/page.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'
import type { StoredDocument } from '#registry/documents/queries.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import type { ItemQuery, MovementDraftQuery } from '../movement-draft-schema.ts'
import { isOverGuard } from '../roster-policy/queries.ts'
import { leavingPeople } from './confirm-rows.ts'
import { draftDocuments } from './rows.ts'

type Caller = Pick<ClientActor, 'clientId' | 'kind'>

/** 404 for a draft that is unknown, and for one of which the caller must not know. */
export const draftNotFound = () => new ApiError('movement-draft-not-found')

/** SQL: the name of the client of a column. */
const nameOf = (column: string) => `(select client.name from client where client.id = ${column})`

const intakeJson = `case when movement_draft.intake is not null then json_build_object('medium', movement_draft.intake->>'medium',
  'received-at', iso((movement_draft.intake->>'receivedAt')::timestamptz), 'requester-name', movement_draft.intake->>'requesterName',
  'requester-contact', movement_draft.intake->>'requesterContact', 'documents', movement_draft.intake->'documents') end`

const countJson = ITEM_STATUS_COUNTS.map(
  (status) => `'${status}', count(*) filter (where movement_draft_item.status = '${status}')`,
).join(', ')

const ofDraft = `movement_draft_item.company_id = movement_draft.company_id and movement_draft_item.draft_id = movement_draft.id`

const stillLeaving = `movement_draft_item.status in ('proposed', 'approval', 'confirmed', 'requested')`

/** SQL: the products of a list with how many people leave them. Citus counts items beside a table of the company only, hence the draft once more. */
const guardJson = `coalesce((select json_agg(json_build_object('product-id', product.id, 'product-name', product.name, 'covered', product.covered,
    'leaving', product.leaving, 'is-over', ${isOverGuard('product.company_id', 'product.leaving', 'product.covered')}) order by product.place)
  from (select guarded_draft.company_id, (item->>'product-id')::uuid as id, item->>'product-name' as name, (item->>'covered')::int as covered,
      ${leavingPeople('guarded_draft', `(item->>'product-id')::uuid`, stillLeaving)} as leaving, place
    from movement_draft guarded_draft cross join lateral jsonb_array_elements(guarded_draft.guard) with ordinality as guarded(item, place)
    where guarded_draft.company_id = movement_draft.company_id and guarded_draft.id = movement_draft.id) product), '[]')`

/** SQL of a MovementDraft, over `movement_draft` and `company`. */
const draftJson = `json_build_object('draft-id', movement_draft.id, 'source', movement_draft.source, 'movement', movement_draft.movement,
  'company-tax-id', company.tax_id, 'company-name', company.name, 'status', movement_draft.status,
  'approval', (select max(movement_draft_item.approval) from movement_draft_item where ${ofDraft} and movement_draft_item.status = 'approval'),
  'closed-because', movement_draft.closed_because, 'created-by', ${nameOf('movement_draft.created_by')},
  'created-at', iso(movement_draft.created_at), 'expires-on', movement_draft.expires_on,
  'counts', coalesce((select json_agg(counted.row order by counted.class) from (
    select movement_draft_item.class, json_build_object('class', movement_draft_item.class, ${countJson}) as row
    from movement_draft_item where ${ofDraft} group by movement_draft_item.class) counted), '[]'),
  'guard', ${guardJson}, 'guard-reasons', movement_draft.guard_reasons, 'reference', movement_draft.reference, 'comment', movement_draft.comment, 'intake', ${intakeJson},
  'broken-reason', movement_draft.broken_reason,
  'request-ids', coalesce((select json_agg(made.request_id order by made.request_id) from (
    select distinct movement_draft_item.request_id from movement_draft_item where ${ofDraft} and movement_draft_item.request_id is not null) made), '[]'))`

/** SQL: a company sees the drafts that one of its clients sent, and those of all lists of its people. */
const isSeenBy = ({ kind }: Caller): string =>
  kind === 'operator'
    ? 'true'
    : `movement_draft.source = 'roster-sync' or exists (select 1 from client sender where sender.id = movement_draft.created_by and sender.api = 'partner')`

/** SQL: the drafts of the companies of the caller $1, for `from`. */
const draftsOf = (caller: Caller): string => `(select id from ${activeClient(caller)}) caller
  join movement_draft on (${isSeenBy(caller)}) ${companiesOf(caller, 'movement_draft.company_id')}
  join company on company.id = movement_draft.company_id`

export interface KnownDraft {
  readonly companyId: string
  readonly companyTaxId: string
}

/** A draft of one of the caller's companies. @throws ApiError 404, and 401 when the client is revoked. */
export async function requireDraft(sql: Sql, caller: Caller, draftId: string): Promise<KnownDraft> {
  const { draft } = rowOfActiveClient(
    await sql.query<{ draft: KnownDraft | null }>(
      `select (select json_build_object('companyId', company.id, 'companyTaxId', company.tax_id)
         from ${draftsOf(caller)} where movement_draft.id = $2) as draft
       from ${activeClient(caller)}`,
      [caller.clientId, draftId],
    ),
  )
  if (draft === null) throw draftNotFound()
  return draft
}

/** `{ "result": MovementDraft }` as the caller sees it. @throws ApiError 404, and 401 when the client is revoked. */
export async function readDraftFor(sql: Sql, caller: Caller, draftId: string): Promise<string> {
  const { body } = rowOfActiveClient(
    await sql.query<{ body: string | null }>(
      `select (select json_build_object('result', ${draftJson})::text from ${draftsOf(caller)} where movement_draft.id = $2) as body
       from ${activeClient(caller)}`,
      [caller.clientId, draftId],
    ),
  )
  if (body === null) throw draftNotFound()
  return body
}

const where = {
  source: equals('movement_draft.source'),
  'company-tax-id': equals('company.tax_id'),
  status: oneOf('movement_draft.status'),
  approval: (parameter) => `exists (select 1 from movement_draft_item where ${ofDraft}
    and movement_draft_item.status = 'approval' and movement_draft_item.approval = ${parameter})`,
} satisfies Where<MovementDraftQuery>

/**
 * A page of the drafts of the caller's companies, newest first.
 * @throws ApiError 401 when the client is revoked, 403 for a filter by a company that is not the caller's.
 */
export async function listDrafts(sql: Sql, caller: Caller, query: MovementDraftQuery & PageQuery): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const { 'company-tax-id': companyTaxId } = query
  const company = caller.kind === 'partner' && companyTaxId !== undefined ? parameters.add(companyTaxId) : null
  const selected = `from ${draftsOf(caller)} where ${['true', ...conditionsOf(where, query, parameters)].join(' and ')}`
  const { isEntitled, ...page } = rowOfActiveClient(
    await sql.queryPlanned<Page & { isEntitled: boolean }>(
      `select ${isEntitledTo(company)} as "isEntitled", (select count(*) ${selected}) as total, (
         select coalesce(json_agg(page.item), '[]')::text from (
           select ${draftJson} as item ${selected} order by movement_draft.created_at desc, movement_draft.id desc limit $2 offset $3) page) as items
       from ${activeClient(caller)}`,
      parameters.values,
    ),
  )
  if (!isEntitled) throw notEntitled('company')
  return page
}

/** SQL: the documents of the draft $2. On Citus they are on the coordinator, so that no row of a company can be joined with them directly. */
const ownDocuments = `own_document as materialized (
  select id::text as id, company_id, name, content_type, size from document where request_id = $2)`

/** SQL of a MovementDraftItem, over `movement_draft_item`, `member` and `ownDocuments`. */
const itemJson = `json_build_object('number', movement_draft_item.number, 'class', movement_draft_item.class,
  'movement', movement_draft_item.movement, 'status', movement_draft_item.status, 'approval', movement_draft_item.approval,
  'tax-id', movement_draft_item.tax_id, 'member-id', movement_draft_item.member_id, 'name', coalesce(member.name, movement_draft_item.name),
  'employee-id', case when member.id is null then movement_draft_item.employee_id else member.employee_id end,
  'member-type', movement_draft_item.member_type, 'product-name', movement_draft_item.product_name, 'lines', movement_draft_item.lines,
  'explanation', movement_draft_item.explanation, 'enrollment-ids', movement_draft_item.enrollment_ids,
  'by-number-only', movement_draft_item.by_number_only, 'also-ends', movement_draft_item.also_ends, 'needs', movement_draft_item.needs,
  'differences', coalesce(movement_draft_item.differences, '[]'), 'offenses', coalesce(movement_draft_item.offenses, '[]'),
  'documents', coalesce((
    select json_agg(json_build_object('document-id', own_document.id, 'document-type', sent.item->>'document-type', 'name', own_document.name,
      'content-type', own_document.content_type, 'size', own_document.size) order by sent.place)
    from jsonb_array_elements(${draftDocuments}) with ordinality as sent(item, place)
    join own_document on own_document.id = sent.item->>'document-id' and own_document.company_id = movement_draft_item.company_id), '[]'),
  'request-id', movement_draft_item.request_id, 'decided-by', ${nameOf('movement_draft_item.decided_by')}, 'reason', movement_draft_item.reason)`

const itemWhere = {
  class: equals('movement_draft_item.class'),
  status: oneOf('movement_draft_item.status'),
  explanation: equals('movement_draft_item.explanation'),
  q: (parameter) => `(coalesce(member.search_text, movement_draft_item.search_text)
      like '%' || replace(replace(fold_name(${parameter}), '%', '\\%'), '_', '\\_') || '%'
    or movement_draft_item.tax_id = regexp_replace(${parameter}, '[.-]', '', 'g'))`,
} satisfies Where<ItemQuery>

/** A page of the items of a draft. @throws ApiError 404, and 401 when the client is revoked. */
export async function listItems(
  sql: Sql,
  caller: Caller,
  draftId: string,
  query: ItemQuery & PageQuery,
): Promise<Page> {
  await requireDraft(sql, caller, draftId)
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, draftId, limit, offset)
  const conditions = conditionsOf(itemWhere, query, parameters)
  const selected = `from ${draftsOf(caller)} join movement_draft_item on ${ofDraft}
    left join member on member.company_id = movement_draft_item.company_id and member.id = movement_draft_item.member_id
    where ${['movement_draft.id = $2', ...conditions].join(' and ')}`
  const [page] = await sql.queryPlanned<Page>(
    `with ${ownDocuments}
     select counted.*, (select coalesce(json_agg(page.item), '[]')::text from (
       select ${itemJson} as item ${selected} order by movement_draft_item.number limit $3 offset $4) page) as items
     from (select count(*) as total ${selected}) counted`,
    parameters.values,
  )
  return required(page, 'page')
}

/** Beside what is stored, whether it shows how the draft came: auditors do not read it. */
type DraftDocument = StoredDocument & { readonly isEvidence: boolean }

/** A document of a draft, for an operator; null when it has no such document, undefined when there is no draft. */
export async function readDraftDocument(
  sql: Sql,
  draftId: string,
  documentId: string,
): Promise<DraftDocument | null | undefined> {
  const [row] = await sql.query<{ document: DraftDocument | null }>(
    `with draft as materialized (
       select id, company_id, intake->'documents' as evidence from movement_draft where id = $1
     )
     select (select json_build_object('key', document.storage_key, 'companyId', document.company_id, 'name', document.name,
         'contentType', document.content_type, 'size', document.size, 'isEvidence', coalesce(draft.evidence @> to_jsonb(document.id), false))
       from document where document.id = $2 and document.company_id = draft.company_id and document.request_id = draft.id) as document
     from draft`,
    [draftId, documentId],
  )
  return row === undefined ? undefined : row.document
}
