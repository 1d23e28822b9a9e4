import type { Caller } from '../http/caller.ts'
import type { RequestType, Resolution } from '../domain/enums.ts'
import type { Sql } from '../platform/database.ts'
import { type EnrollmentInsert, insertEnrollments } from '../enrollments/write.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'

export interface CompletedRequest {
  readonly companyId: string
  readonly requestId: string
  readonly requestType: Exclude<RequestType, 'inclusion'>
  readonly resolution: Resolution | null
  readonly at: Date
  readonly enrollments: EnrollmentInsert
}

/** Inserts a request that is complete at acceptance, its enrollments and their events. @returns the ids of the enrollments. */
export async function insertCompletedRequest(sql: Sql, caller: Caller, request: CompletedRequest): Promise<string[]> {
  const { companyId, requestId, requestType, resolution, at } = request
  await sql.execute(
    `insert into request (company_id, id, client_id, request_type, status, resolution, created_at, finished_at)
     values ($1, $2, $3, $4, 'completed', $5, $6, $6)`,
    [companyId, requestId, caller.clientId, requestType, resolution, at],
  )
  const enrollments = await insertEnrollments(sql, at, request.enrollments)
  await writeEvents(sql, companyId, at, [
    ...enrollments.map(({ id, status }): DomainEvent => {
      return { type: 'enrollment.created', data: { 'request-id': requestId, 'enrollment-id': id, status } }
    }),
    { type: 'request.completed', data: { 'request-id': requestId, status: 'completed' } },
  ])
  return enrollments.map(({ id }) => id)
}
