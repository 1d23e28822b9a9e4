import type { Sql } from '#platform/core/database.ts'
import { draftOf, isDocumentOf } from '#registry/documents/queries.ts'
import { type CopiedTable, copiedTables } from '../personal-tables.ts'

/* What is known of a CPF, in all companies. */

/** A person in a company. */
export interface KnownPerson {
  readonly companyId: string
  readonly companyTaxId: string
  readonly companyName: string
  /** null: no member, but movements or lines of carriers have the CPF. */
  readonly memberId: string | null
}

/** The companies that know a CPF, also those that only have a movement, a refused part of a request or a line of a carrier with it. */
export async function findPerson(sql: Sql, taxId: string): Promise<KnownPerson[]> {
  return sql.query<KnownPerson>(
    `with known as (
       select company_id, id as member_id from member where tax_id = $1
       union all select company_id, null from enrollment where member_tax_id = $1
       union all select company_id, null from request where failures <> '[]' and failures @> jsonb_build_array(jsonb_build_object('tax-id', $1::text))
       union all select company_id, null from carrier_line where tax_id = $1 and benefit_id is null
       union all select company_id, null from onboarding_invitation where tax_id = $1
       union all select company_id, null from member_removal where tax_id = $1
     ), person as (
       select company_id, max(member_id::text)::uuid as member_id from known group by company_id
     )
     select person.company_id as "companyId", company.tax_id as "companyTaxId", company.name as "companyName", person.member_id as "memberId"
     from person join company on company.id = person.company_id order by company.name, company.id`,
    [taxId],
  )
}

/** A member in each of its companies, with the CPF that it has there. */
export async function findMember(sql: Sql, id: string): Promise<(KnownPerson & { readonly taxId: string })[]> {
  return sql.query<KnownPerson & { readonly taxId: string }>(
    `select member.company_id as "companyId", company.tax_id as "companyTaxId", company.name as "companyName", member.id as "memberId",
       member.tax_id as "taxId"
     from member join company on company.id = member.company_id where member.id = $1
     order by member.updated_at desc, member.company_id`,
    [id],
  )
}

export type Row = Readonly<Record<string, unknown>>

/** The rows of each table that are of the person in the company, with the names of their columns. */
export async function readPersonalRows(
  sql: Sql,
  { companyId, memberId }: KnownPerson,
  taxId: string,
): Promise<Record<CopiedTable, Row[]>> {
  const rows: Partial<Record<CopiedTable, Row[]>> = {}
  for (const [name, { of, omit, add, orderBy }] of copiedTables) {
    const [found] = await sql.query<{ rows: Row[] }>(
      `select coalesce(json_agg(to_jsonb(${name}) - $4::text[] ${add === undefined ? '' : `|| coalesce(${add}, '{}')`} order by ${orderBy}), '[]') as rows
       from ${name} where ${of} and ($2::uuid is null or true) and ($3::text is null or true)`,
      [companyId, memberId, taxId, omit],
    )
    rows[name] = found?.rows ?? []
  }
  return rows as Record<CopiedTable, Row[]>
}

/** A document of a movement of the person. */
export interface PersonalDocument {
  readonly id: string
  readonly enrollmentId: string
  readonly documentType: string | null
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly key: string
  readonly uploadedAt: string
}

/** The documents that the movements sent, each once. */
export async function readPersonalDocuments(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<PersonalDocument[]> {
  return sql.query<PersonalDocument>(
    `with sent as materialized (
       select enrollment.id, enrollment.request_id, ${draftOf('$1', 'enrollment.request_id')} as draft_id, item.value from enrollment
       cross join lateral jsonb_array_elements(
         case jsonb_typeof(enrollment.data -> 'documents') when 'array' then enrollment.data -> 'documents' else '[]' end) item
       where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
     )
     select distinct on (document.id) document.id, sent.id as "enrollmentId", sent.value ->> 'document-type' as "documentType", document.name,
       document.content_type as "contentType", document.size, document.storage_key as key, iso(document.uploaded_at) as "uploadedAt"
     from sent join document on document.id = (sent.value ->> 'document-id')::uuid and ${isDocumentOf('$1', 'sent.request_id', 'sent.draft_id')}
     order by document.id, sent.id`,
    [companyId, enrollmentIds],
  )
}

/** Refused lines of imports that name the person, without what they hold: it is of whole families. */
export async function readImportLines(sql: Sql, taxId: string): Promise<Row[]> {
  const dotted = taxId.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
  return sql.query<Row>(
    `select member_import.file_name as "file-name", iso(member_import.created_at) as "created-at", member_import_error.line
     from member_import_error join member_import on member_import.id = member_import_error.import_id
     where strpos(member_import_error.content, $1) > 0 or strpos(member_import_error.content, $2) > 0
     order by member_import.created_at, member_import_error.line`,
    [taxId, dotted],
  )
}

/** What the person asked before. */
export async function readEarlierRequests(sql: Sql, taxId: string): Promise<Row[]> {
  return sql.query<Row>(
    `select kind as "subject-request-kind", status, received_on as "received-on", iso(closed_at) as "closed-at" from subject_request where tax_id = $1
     order by created_at, id`,
    [taxId],
  )
}
