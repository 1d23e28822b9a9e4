import type { Sql } from '#platform/core/database.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { PersonRole } from '#kernel/enums.ts'
import type { KnownPerson } from './person-data.ts'

/*
 * Who saw a person (LGPD art. 48): what the audit has of disclosures, downloads and exports. Of an export it has the company, not the people: such a
 * row says that the person may be in it.
 */

/** The target names the person, or what holds data of the person. */
const CERTAIN_DISCLOSURES = [
  'member.disclosed',
  'document.downloaded',
  'shipment.sent',
  'shipment.file-downloaded',
  'carrier-file.downloaded',
  'payroll-export.downloaded',
  'subject-request.file-downloaded',
] as const satisfies AuditAction[]

/** The row has a company of the person, or none where the export was of all. */
const POSSIBLE_DISCLOSURES = [
  'company.roster-exported',
  'enrollment.exported',
  'reconciliation.exported',
  'tax-figures.downloaded',
] as const satisfies AuditAction[]

export const DISCLOSURES = [...CERTAIN_DISCLOSURES, ...POSSIBLE_DISCLOSURES] as const
export type Disclosure = (typeof DISCLOSURES)[number]

/** Both instants; null: without a bound. */
interface Period {
  readonly from: Date | null
  readonly until: Date | null
}

/** The ids of what holds data of the person: files that were downloaded, shipments that were sent. */
async function readHolders(sql: Sql, { companyId, memberId }: KnownPerson, taxId: string | null): Promise<string[]> {
  const values = [companyId, memberId, taxId]
  const rows = await sql.query<{ id: string }>(
    `with movement as (
       select id, request_id, data from enrollment where company_id = $1 and (member_id = $2 or member_tax_id = $3)
     ), own as (select id from benefit where company_id = $1 and member_id = $2)
     select shipment_id::text as id from shipment_item where company_id = $1 and (enrollment_id in (select id from movement)
       or dependent_benefit_ids && array(select id from own))
     union select file_id::text from carrier_line
       where company_id = $1 and (benefit_id in (select id from own) or benefit_id is null and tax_id = $3)
     union select export_id::text from payroll_export_line where company_id = $1 and member_id = $2
     union select item.value ->> 'document-id' from movement cross join lateral jsonb_array_elements(
       case jsonb_typeof(movement.data -> 'documents') when 'array' then movement.data -> 'documents' else '[]' end) item`,
    values,
  )
  // The shipments of other companies, to which the person changed from this one.
  const there = await sql.query<{ id: string }>(
    `with movement as materialized (select id from enrollment where company_id = $1 and (member_id = $2 or member_tax_id = $3)),
     own as materialized (select id from benefit where company_id = $1 and member_id = $2)
     select distinct shipment_id::text as id from shipment_item where movement_company_id = $1 and movement_company_id <> company_id
       and (enrollment_id in (select id from movement) or dependent_benefit_ids && array(select id from own))`,
    values,
  )
  return [...rows, ...there].map(({ id }) => id)
}

/** What the statements about disclosures of a person select by. */
interface SeenPerson {
  readonly companyIds: readonly string[]
  readonly memberIds: readonly string[]
  readonly holders: readonly string[]
}

/** @param taxId null: no requests and lines of carriers without a benefit. */
export async function readSeenPerson(
  sql: Sql,
  known: readonly KnownPerson[],
  taxId: string | null,
): Promise<SeenPerson> {
  const holders: string[] = []
  for (const company of known) holders.push(...(await readHolders(sql, company, taxId)))
  const requests = await sql.query<{ id: string }>('select id::text as id from subject_request where tax_id = $1', [
    taxId,
  ])
  return {
    companyIds: known.map(({ companyId }) => companyId),
    memberIds: [...new Set(known.flatMap(({ memberId }) => (memberId === null ? [] : [memberId])))],
    holders: [...holders, ...requests.map(({ id }) => id)],
  }
}

const matching = `audit where ($1::timestamptz is null or audit.at >= $1) and ($2::timestamptz is null or audit.at < $2) and (
    audit.action = 'member.disclosed' and string_to_array(audit.target, ' ') && $4::text[]
    or audit.action = any($5) and audit.action <> 'member.disclosed' and audit.target = any($6::text[])
    or audit.action = any($7) and (audit.company_id is null or audit.company_id = any($3::uuid[])))`

const valuesOf = ({ companyIds, memberIds, holders }: SeenPerson, { from, until }: Period) => [
  from,
  until,
  companyIds,
  memberIds,
  CERTAIN_DISCLOSURES,
  holders,
  POSSIBLE_DISCLOSURES,
]

/** A page of the disclosures, the newest first, as a JSON array of the API, with their total. */
export async function listDisclosures(
  sql: Sql,
  person: SeenPerson,
  period: Period,
  bounds: { readonly limit: number | null; readonly offset: number },
): Promise<{ readonly total: number; readonly items: string }> {
  const rows = await sql.queryPlanned<{ total: number; items: string }>(
    `select (select count(*) from ${matching}) as total, (
       select coalesce(json_agg(json_build_object('id', page.id, 'at', iso(page.at), 'action', page.action,
           'certainty', case when page.action = any($5) then 'certain' else 'possible' end, 'actor', page.actor, 'actor-name', client.name,
           'role', case when client.api = 'partner' then case when exists (select 1 from person where person.client_id = client.id)
             then 'company-hr' else 'client' end else client.role end,
           'company-tax-id', company.tax_id, 'company-name', company.name, 'address', page.address, 'request-trace-id', page.request_trace_id)
         order by page.at desc, page.id desc), '[]')::text
       from (select * from ${matching} order by audit.at desc, audit.id desc limit $8 offset $9) page
       left join client on client.id = page.actor left join company on company.id = page.company_id) as items`,
    [...valuesOf(person, period), bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** Who could read the person's data without a trace of it. */
interface Reader {
  readonly 'client-id': string
  readonly name: string
  readonly role: PersonRole | 'client'
  readonly 'company-tax-ids': readonly string[]
}

/**
 * Who could read the data in the period: clients and HR people that were entitled to a company of the person, and operators who read movements.
 * Reads of single people and lists are not audited.
 */
export async function listReaders(sql: Sql, { companyIds }: SeenPerson, { from, until }: Period): Promise<Reader[]> {
  return sql.query<Reader>(
    `with entitled as (
       select client_id, company_id from entitlement where company_id = any($3::uuid[]) and ($2::timestamptz is null or created_at < $2)
       union select target, company_id from audit
         where action = 'entitlement.revoked' and company_id = any($3::uuid[]) and ($1::timestamptz is null or at >= $1)
     )
     select client.id as "client-id", client.name, case when client.api = 'operator' then client.role
         when person.client_id is null then 'client' else 'company-hr' end as role,
       coalesce(array_agg(company.tax_id order by company.tax_id) filter (where company.id is not null), '{}') as "company-tax-ids"
     from client left join entitled on entitled.client_id = client.id left join company on company.id = entitled.company_id
     left join person on person.client_id = client.id
     where ($2::timestamptz is null or client.created_at < $2) and (client.revoked_at is null or $1::timestamptz is null or client.revoked_at >= $1)
       and (entitled.client_id is not null or client.api = 'operator')
     group by client.id, person.client_id order by client.api, client.role, client.name, client.id`,
    [from, until, companyIds],
  )
}
