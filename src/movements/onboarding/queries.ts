import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Invited, OnboardingStatus, Submission } from '../rules/onboarding.ts'
import type { FileType } from '#platform/http/file-type.ts'
import type { Page } from '#platform/http/page.ts'
import { isHeld } from '#registry/legal-holds/held.ts'

/** SQL: an `onboarding_invitation` of a `company`. @param products SQL of those that it is for. */
const listed = (
  products: string,
) => `'invitation-id', onboarding_invitation.id, 'company-tax-id', company.tax_id, 'company-name', company.name,
  'name', onboarding_invitation.name, 'tax-id', onboarding_invitation.tax_id, 'date-of-birth', onboarding_invitation.date_of_birth,
  'admission-date', onboarding_invitation.admission_date, 'employee-id', onboarding_invitation.employee_id,
  'cost-center', onboarding_invitation.cost_center, 'job-title', onboarding_invitation.job_title,
  'products', ${products},
  'status', onboarding_invitation.status, 'return-message', onboarding_invitation.return_message,
  'request-id', onboarding_invitation.request_id, 'created-at', iso(onboarding_invitation.created_at),
  'expires-at', iso(onboarding_invitation.expires_at), 'opened-at', iso(onboarding_invitation.opened_at),
  'submitted-at', iso(onboarding_invitation.submitted_at), 'last-updated-at', iso(onboarding_invitation.updated_at)`

const listedProducts = `json_agg(json_build_object('product-id', product.id, 'product-name', product.name,
  'product-type', product.product_type, 'start-option', invited."start-option") order by product.position, product.id)`
const invitedProducts = `jsonb_to_recordset(onboarding_invitation.products) as invited("product-id" uuid, "start-option" text)
  join product on product.company_id = onboarding_invitation.company_id and product.id = invited."product-id"`

/** SQL: the uploaded files of an `onboarding_invitation` of the company $1. */
const documents = `coalesce((select json_agg(json_build_object('document-id', onboarding_document.id, 'name', onboarding_document.name,
    'content-type', onboarding_document.content_type, 'size', onboarding_document.size) order by onboarding_document.id)
  from onboarding_document where onboarding_document.company_id = $1
    and onboarding_document.invitation_id = onboarding_invitation.id), '[]')`

const shownJson = `json_build_object(${listed(`(select ${listedProducts} from ${invitedProducts})`)}, 'submission', onboarding_invitation.submission, 'documents', ${documents})`

/** null: of all. */
interface InvitationFilter {
  readonly companyTaxId: string | null
  readonly status: OnboardingStatus | null
}

/**
 * A page of the invitations of the caller's companies, the newest first, with their total. `isEntitled`: whether the company of the filter is
 * one.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listInvitations(
  sql: Sql,
  caller: Client,
  { companyTaxId, status }: InvitationFilter,
  bounds: { readonly limit: number; readonly offset: number },
): Promise<Page & { readonly isEntitled: boolean }> {
  const order = (table: string) => `${table}.created_at desc, ${table}.id desc`
  const rows = await sql.query<Page & { isEntitled: boolean }>(
    `with own as materialized (
       select onboarding_invitation.* from ${activePartner}
       join entitlement on entitlement.client_id = client.id
       join onboarding_invitation on onboarding_invitation.company_id = entitlement.company_id
       where ($2::text is null or onboarding_invitation.company_id = (select id from company where tax_id = $2))
         and ($3::text is null or onboarding_invitation.status = $3)
     ), page as materialized (
       select * from own order by ${order('own')} limit $4 offset $5
     ), listed as materialized (
       select onboarding_invitation.id, ${listedProducts} as products from page onboarding_invitation
       cross join lateral ${invitedProducts} group by onboarding_invitation.id
     )
     select (select count(*) from own) as total,
       (select coalesce(json_agg(json_build_object(${listed('listed.products')}) order by ${order('onboarding_invitation')}), '[]')::text
        from page onboarding_invitation join company on company.id = onboarding_invitation.company_id
        left join listed on listed.id = onboarding_invitation.id) as items,
       $2::text is null or exists (select 1 from entitlement join company on company.id = entitlement.company_id
         where entitlement.client_id = client.id and company.tax_id = $2) as "isEntitled"
     from ${activePartner}`,
    [caller.clientId, companyTaxId, status, bounds.limit, bounds.offset],
  )
  return rowOfActiveClient(rows)
}

/** An invitation as the HR reviews it, as JSON; null when none of the caller's companies has it. @throws ApiError 401 when the client is revoked. */
export async function readInvitation(sql: Sql, caller: Client, id: string): Promise<string | null> {
  const companyId = await findCompany(sql, caller, id)
  if (companyId === null) return null
  const rows = await sql.query<{ invitation: string }>(`select ${shownJson}::text as invitation ${ofKey}`, [
    companyId,
    id,
  ])
  return rows[0]?.invitation ?? null
}

/** The company of an invitation of one of the caller's companies; null when there is none. */
async function findCompany(sql: Sql, caller: Client, id: string): Promise<string | null> {
  const rows = await sql.query<{ companyId: string | null }>(
    `with own as materialized (
       select onboarding_invitation.company_id from onboarding_invitation
       join entitlement on entitlement.company_id = onboarding_invitation.company_id and entitlement.client_id = $1
       where onboarding_invitation.id = $2
     )
     select (select company_id from own) as "companyId" from ${activePartner}`,
    [caller.clientId, id],
  )
  return rowOfActiveClient(rows).companyId
}

const ofKey = `from onboarding_invitation join company on company.id = onboarding_invitation.company_id
  where onboarding_invitation.company_id = $1 and onboarding_invitation.id = $2`

/** An invitation as what becomes of it depends on it. */
export interface Invitation extends Invited {
  readonly companyId: string
  readonly companyTaxId: string
  readonly id: string
  readonly status: OnboardingStatus
  readonly attempts: number
  /** In hex; null: no one has sent the second factor. */
  readonly sessionHash: string | null
  readonly isSessionOpen: boolean
  /** Whether the link has ended by its time. */
  readonly isOver: boolean
  readonly submission: Submission | null
  /** As the API has it. */
  readonly submittedAt: string | null
  readonly requestId: string | null
}

const invitationJson = `json_build_object('companyId', onboarding_invitation.company_id, 'companyTaxId', company.tax_id,
  'id', onboarding_invitation.id, 'status', onboarding_invitation.status, 'attempts', onboarding_invitation.attempts,
  'sessionHash', encode(onboarding_invitation.session_hash, 'hex'),
  'isSessionOpen', coalesce(onboarding_invitation.session_expires_at > statement_timestamp(), false),
  'isOver', onboarding_invitation.expires_at <= statement_timestamp() and onboarding_invitation.status <> 'submitted',
  'submission', onboarding_invitation.submission, 'submittedAt', iso(onboarding_invitation.submitted_at),
  'requestId', onboarding_invitation.request_id, 'taxId', onboarding_invitation.tax_id,
  'dateOfBirth', onboarding_invitation.date_of_birth, 'admissionDate', onboarding_invitation.admission_date,
  'employeeId', onboarding_invitation.employee_id, 'costCenter', onboarding_invitation.cost_center,
  'jobTitle', onboarding_invitation.job_title,
  'products', (select json_agg(json_build_object('product-id', product.id, 'start-option', invited."start-option",
      'name', product.name, 'productType', product.product_type) order by product.position, product.id) from ${invitedProducts}))`

async function readOne(sql: Sql, { companyId, id }: CompanyRow): Promise<Invitation | null> {
  const rows = await sql.query<{ invitation: Invitation }>(`select ${invitationJson} as invitation ${ofKey}`, [
    companyId,
    id,
  ])
  return rows[0]?.invitation ?? null
}

/** An invitation of one of the caller's companies; null when there is none. @throws ApiError 401 when the client is revoked. */
export async function findInvitation(sql: Sql, caller: Client, id: string): Promise<Invitation | null> {
  const companyId = await findCompany(sql, caller, id)
  return companyId === null ? null : readOne(sql, { companyId, id })
}

/** The invitation of a link; null when there is none. The hash of 32 random bytes tells nothing by the time that the look-up takes. */
export async function findByToken(sql: Sql, tokenHash: Buffer): Promise<Invitation | null> {
  const [found] = await sql.query<CompanyRow>(
    'select company_id as "companyId", id from onboarding_invitation where token_hash = $1',
    [tokenHash],
  )
  return found === undefined ? null : readOne(sql, found)
}

/** The invitation, locked until the transaction ends. */
export async function lockInvitation(
  sql: Sql,
  { companyId, id }: Pick<Invitation, 'companyId' | 'id'>,
): Promise<Invitation | null> {
  await sql.query('select 1 as one from onboarding_invitation where company_id = $1 and id = $2 for update', [
    companyId,
    id,
  ])
  // A second statement, after the lock, sees what was committed during the wait.
  return readOne(sql, { companyId, id })
}

/** What the employee sees before the documents that are needed, as JSON. */
interface EmployeeView {
  readonly view: Readonly<Record<string, unknown>>
  readonly products: readonly {
    readonly 'product-id': string
    readonly 'product-name': string
    readonly 'product-type': string
    readonly 'carrier-name': string
    readonly 'allowed-dependent-types': readonly string[]
  }[]
}

/** Reads what the page of the link shows. */
export async function readEmployeeView(
  sql: Sql,
  { companyId, id }: Pick<Invitation, 'companyId' | 'id'>,
): Promise<EmployeeView | null> {
  const rows = await sql.query<EmployeeView>(
    `select json_build_object('company-name', company.name, 'name', onboarding_invitation.name,
         'status', onboarding_invitation.status, 'return-message', onboarding_invitation.return_message,
         'expires-at', iso(onboarding_invitation.expires_at), 'submitted-at', iso(onboarding_invitation.submitted_at),
         'submission', onboarding_invitation.submission, 'documents', ${documents}) as view,
       (select json_agg(json_build_object('product-id', product.id, 'product-name', product.name,
           'product-type', product.product_type, 'carrier-name', product.carrier_name,
           'allowed-dependent-types', product.allowed_dependent_types) order by product.position, product.id)
         from jsonb_to_recordset(onboarding_invitation.products) as invited("product-id" uuid)
         join product on product.company_id = onboarding_invitation.company_id and product.id = invited."product-id") as products
     ${ofKey}`,
    [companyId, id],
  )
  return rows[0] ?? null
}

/** A product that an invitation may offer. */
interface OfferedProduct {
  readonly id: string
  readonly allowedStartOptions: readonly string[]
}

/** The products of one of the caller's companies; null when it is none of them. @throws ApiError 401 when the client is revoked. */
export async function readOffer(
  sql: Sql,
  caller: Client,
  companyTaxId: string,
): Promise<{ readonly companyId: string; readonly products: readonly OfferedProduct[] } | null> {
  const rows = await sql.query<{ offer: { companyId: string; products: OfferedProduct[] } | null }>(
    `select (select json_build_object('companyId', company.id, 'products', coalesce((
         select json_agg(json_build_object('id', product.id, 'allowedStartOptions', product.allowed_start_options))
         from product where product.company_id = company.id and product.retired_at is null), '[]'))
       from company join entitlement on entitlement.company_id = company.id and entitlement.client_id = client.id
       where company.tax_id = $2) as offer
     from ${activePartner}`,
    [caller.clientId, companyTaxId],
  )
  return rowOfActiveClient(rows).offer
}

export interface OnboardingFile {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly contentType: FileType
  readonly size: number
  readonly createdAt: string
}

/** The files of an invitation. */
export async function readFiles(
  sql: Sql,
  { companyId, id }: Pick<Invitation, 'companyId' | 'id'>,
): Promise<OnboardingFile[]> {
  return sql.query<OnboardingFile>(
    `select id, storage_key as key, name, content_type as "contentType", size, iso(created_at) as "createdAt"
     from onboarding_document where company_id = $1 and invitation_id = $2 order by id`,
    [companyId, id],
  )
}

/** What is priced by the contract that has each product of a company. */
export async function readPlans(
  sql: Sql,
  companyId: string,
  productIds: readonly string[],
): Promise<{ readonly productId: string; readonly contractId: string; readonly planCode: string | null }[]> {
  return sql.query(
    `select active_product_id as "productId", contract_id as "contractId", carrier_plan_code as "planCode" from contract_plan
     where company_id = $1 and active_product_id = any($2::uuid[])`,
    [companyId, productIds],
  )
}

interface CompanyRow {
  readonly companyId: string
  readonly id: string
}

/** Invitations whose time is over: those that no one submitted, and submissions that no one approved. */
export async function readExpired(sql: Sql, limit: number): Promise<CompanyRow[]> {
  return sql.queryPlanned<CompanyRow>(
    `select company_id as "companyId", id from onboarding_invitation
     where (status in ('sent', 'opened', 'returned') and expires_at <= statement_timestamp())
       or (status = 'submitted' and delete_after <= statement_timestamp()) limit $1`,
    [limit],
  )
}

/** SQL: the invitations that are not approved, but for those of people whose data may not be deleted. */
export const unheldDrafts = `select company_id as "companyId", id from onboarding_invitation
  where status <> 'approved' and not ${isHeld('onboarding_invitation.company_id', 'onboarding_invitation.tax_id')}
    and not exists (select 1 from legal_hold where held_tax_id is not null
      and submission @> jsonb_build_object('dependents', jsonb_build_array(jsonb_build_object('tax-id', held_tax_id))))`

/** Those of them that came to nothing, and whose time is over. */
export async function readDeletable(sql: Sql, limit: number): Promise<CompanyRow[]> {
  return sql.queryPlanned<CompanyRow>(
    `${unheldDrafts} and status in ('expired', 'revoked', 'blocked') and delete_after <= statement_timestamp() limit $1`,
    [limit],
  )
}
