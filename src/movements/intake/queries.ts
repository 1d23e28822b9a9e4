import type { Sql } from '#platform/core/database.ts'
import { draftOf, isDocumentOf, type StoredDocument } from '#registry/documents/queries.ts'

interface Evidence {
  readonly companyId: string
  /** The documents of its intake; null: a request without one. */
  readonly documents: readonly string[] | null
}

/** The evidence of a request, of any company; undefined when there is no request. */
export async function readEvidence(sql: Sql, requestId: string): Promise<Evidence | undefined> {
  const rows = await sql.query<Evidence>(
    `select request.company_id as "companyId", request_intake.documents
     from request left join request_intake on request_intake.company_id = request.company_id and request_intake.request_id = request.id
     where request.id = $1`,
    [requestId],
  )
  return rows[0]
}

/** The same, locked against others that add to it. */
export async function lockEvidence(sql: Sql, requestId: string): Promise<Evidence | undefined> {
  const known = await readEvidence(sql, requestId)
  if (known === undefined) return undefined
  await sql.query('select from request where company_id = $1 and id = $2 for update', [known.companyId, requestId])
  return readEvidence(sql, requestId)
}

/** A document of the evidence; undefined when there is none. */
export async function readEvidenceDocument(
  sql: Sql,
  { companyId, requestId }: { readonly companyId: string; readonly requestId: string },
  documentId: string,
): Promise<StoredDocument | undefined> {
  const rows = await sql.query<StoredDocument>(
    `select storage_key as key, company_id as "companyId", name, content_type as "contentType", size
     from document where id = $3 and ${isDocumentOf('$1', '$2', draftOf('$1', '$2'))}`,
    [companyId, requestId, documentId],
  )
  return rows[0]
}
