import type { Sql } from '#platform/core/database.ts'
import type { Intake } from '../rules/intake.ts'

/** Adds documents to the evidence of a request. */
export async function insertEvidence(
  sql: Sql,
  companyId: string,
  requestId: string,
  documents: readonly string[],
): Promise<void> {
  await sql.execute(
    'update request_intake set documents = documents || $3::uuid[] where company_id = $1 and request_id = $2',
    [companyId, requestId, documents],
  )
}

/** Stores how a request came. It is not changed afterwards; documents can be added. */
export async function insertIntake(
  sql: Sql,
  companyId: string,
  requestId: string,
  { medium, receivedAt, requesterName, requesterContact, documents }: Intake,
): Promise<void> {
  await sql.execute(
    `insert into request_intake (company_id, request_id, medium, received_at, requester_name, requester_contact, documents)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [companyId, requestId, medium, receivedAt, requesterName, requesterContact, documents],
  )
}
