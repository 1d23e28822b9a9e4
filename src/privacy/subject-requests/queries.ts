import type { Static } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { SubjectRequestKind, SubjectRequestStatus } from '#kernel/broker-enums.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { SubjectRequestQuery } from './schema.ts'

const columns = `'subject-request-id', subject_request.id, 'kind', subject_request.kind, 'status', subject_request.status,
  'tax-id', subject_request.tax_id, 'received-on', subject_request.received_on, 'due-date', subject_request.due_date,
  'note', subject_request.note,
  'file', case when subject_request.file_requested_at is not null then json_build_object(
    'status', case when subject_request.file_made_at is null then 'making'
      when subject_request.file_key is not null and subject_request.file_expires_at > now() then 'ready' else 'expired' end,
    'size', subject_request.file_size, 'created-at', iso(subject_request.file_requested_at), 'made-at', iso(subject_request.file_made_at),
    'expires-at', iso(subject_request.file_expires_at)) end, 'cancel-reason', subject_request.cancel_reason, 'created-by', subject_request.created_by,
  'created-at', iso(subject_request.created_at), 'closed-at', iso(subject_request.closed_at)`

/** A page of the requests: first those that are not closed, by due date. */
export const subjectRequestPage = pages<Static<typeof SubjectRequestQuery>>({
  from: 'subject_request',
  item: `json_build_object(${columns})`,
  order: 'closed_at desc nulls first, due_date, id',
  where: { kind: equals('kind'), status: equals('status'), 'due-until': (day) => `due_date <= ${day}` },
})

/** A request as the text of a response; null: there is none. */
export const readSubjectRequest = readerOf({ from: 'subject_request', item: `json_build_object(${columns})` })

interface LockedSubjectRequest {
  readonly kind: SubjectRequestKind
  readonly status: SubjectRequestStatus
  /** null once the person is erased. */
  readonly taxId: string | null
}

/** Locks a request until the transaction ends. @throws ApiError 404 */
export async function lockSubjectRequest(sql: Sql, id: string): Promise<LockedSubjectRequest> {
  const [request] = await sql.query<LockedSubjectRequest>(
    `select kind, status, tax_id as "taxId" from subject_request where id = $1 for update`,
    [id],
  )
  if (request === undefined) throw new ApiError('subject-request-not-found')
  return request
}

interface NewSubjectRequest {
  readonly id: string
  readonly kind: SubjectRequestKind
  readonly taxId: string
  readonly receivedOn: LocalDate
  readonly note: string | null
  readonly createdBy: string
}

/** @returns the id of the person's open request of the kind, where there is one: nothing is inserted then. */
export async function insertSubjectRequest(
  sql: Sql,
  { id, kind, taxId, receivedOn, note, createdBy }: NewSubjectRequest,
  at: Date,
): Promise<string | null> {
  const inserted = await sql.execute(
    `insert into subject_request (id, kind, tax_id, status, received_on, note, created_by, created_at)
     values ($1, $2, $3, 'open', $4, $5, $6, $7) on conflict (open_tax_id, kind) do nothing`,
    [id, kind, taxId, receivedOn, note, createdBy, at],
  )
  if (inserted === 1) return null
  const rows = await sql.query<{ id: string }>('select id from subject_request where open_tax_id = $1 and kind = $2', [
    taxId,
    kind,
  ])
  return rows[0]?.id ?? null
}

/** Closes a request. */
export async function closeSubjectRequest(
  sql: Sql,
  id: string,
  { status, cancelReason }: { readonly status: 'fulfilled' | 'cancelled'; readonly cancelReason: string | null },
  at: Date,
): Promise<void> {
  await sql.execute('update subject_request set status = $2, cancel_reason = $3, closed_at = $4 where id = $1', [
    id,
    status,
    cancelReason,
    at,
  ])
  // A plan keeps no text of others once it is over.
  await sql.execute(
    `update erasure set failure = null, failed_at = null, next_attempt_at = null, mentions = (
       select coalesce(jsonb_agg(mention || '{"text": null}'), '[]') from jsonb_array_elements(mentions) mention)
     where subject_request_id = $1`,
    [id],
  )
}
