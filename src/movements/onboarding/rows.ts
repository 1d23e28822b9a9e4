import type { Sql } from '#platform/core/database.ts'
import { cancelInvitationMails } from '#platform/core/mails.ts'
import { Records } from '#platform/core/records.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  type InvitedProduct,
  MAX_ATTEMPTS,
  type OnboardingStatus,
  statusesBefore,
  type Submission,
} from '../rules/onboarding.ts'
import type { Invitation, OnboardingFile } from './queries.ts'

/* The only statements that write invitations and their files. */

type Id = Pick<Invitation, 'companyId' | 'id'>

export interface NewInvitation {
  readonly id: string
  readonly createdBy: string
  readonly tokenHash: Buffer
  readonly name: string
  readonly taxId: string
  readonly dateOfBirth: LocalDate
  readonly admissionDate: LocalDate | null
  readonly employeeId: string | null
  readonly costCenter: string | null
  readonly jobTitle: string | null
  readonly products: readonly InvitedProduct[]
  readonly expiresAt: Date
}

const dayMs = 24 * 3_600_000

/** When a draft of an instant is deleted, but not before its link has ended. Citus adds no interval in an update of a company's row. */
const deleteAfter = (at: Date, days: number | null): Date | 'infinity' =>
  days === null ? 'infinity' : new Date(at.getTime() + days * dayMs)

/** Inserts an invitation. @param days of the setting for drafts; null: without an end. @returns false when the person has an open one in the company. */
export async function insertInvitation(
  sql: Sql,
  companyId: string,
  row: NewInvitation,
  { at, days }: { readonly at: Date; readonly days: number | null },
): Promise<boolean> {
  const inserted = await sql.execute(
    `insert into onboarding_invitation (company_id, id, created_by, token_hash, status, name, tax_id, date_of_birth, admission_date,
       employee_id, cost_center, job_title, products, created_at, expires_at, delete_after, updated_at)
     values ($1, $2, $3, $4, 'sent', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, greatest($15::timestamptz, $14), $13)
     on conflict (company_id, open_tax_id) do nothing`,
    [
      companyId,
      row.id,
      row.createdBy,
      row.tokenHash,
      row.name,
      row.taxId,
      row.dateOfBirth,
      row.admissionDate,
      row.employeeId,
      row.costCenter,
      row.jobTitle,
      JSON.stringify(row.products),
      at,
      row.expiresAt,
      deleteAfter(at, days),
    ],
  )
  return inserted === 1
}

/** Stores a session of the page: the second factor was right. */
export async function openInvitation(
  sql: Sql,
  { companyId, id }: Id,
  session: { readonly hash: Buffer; readonly expiresAt: Date },
  at: Date,
): Promise<void> {
  await sql.execute(
    `update onboarding_invitation set status = case when status = 'sent' then 'opened' else status end, attempts = 0,
       session_hash = $3, session_expires_at = $4, opened_at = coalesce(opened_at, $5), updated_at = $5
     where company_id = $1 and id = $2`,
    [companyId, id, session.hash, session.expiresAt, at],
  )
}

/** Counts a wrong second factor; the last one blocks the link and ends its session. @returns the status now. */
export async function countAttempt(sql: Sql, { companyId, id }: Id, at: Date): Promise<OnboardingStatus> {
  const [row] = await sql.query<{ status: OnboardingStatus }>(
    `update onboarding_invitation set attempts = attempts + 1, updated_at = $3,
       status = case when attempts + 1 = ${MAX_ATTEMPTS} and status = any($4::text[]) then 'blocked' else status end,
       session_hash = case when attempts + 1 < ${MAX_ATTEMPTS} then session_hash end,
       session_expires_at = case when attempts + 1 < ${MAX_ATTEMPTS} then session_expires_at end
     where company_id = $1 and id = $2 returning status`,
    [companyId, id, at, statusesBefore('blocked')],
  )
  return row?.status ?? 'blocked'
}

/** Stores what the employee sent. */
export async function storeSubmission(
  sql: Sql,
  { companyId, id }: Id,
  submission: Submission,
  { at, days }: { readonly at: Date; readonly days: number | null },
): Promise<void> {
  await sql.execute(
    `update onboarding_invitation set status = 'submitted', submission = $3, submitted_at = $4, updated_at = $4, return_message = null,
       delete_after = greatest($5::timestamptz, expires_at)
     where company_id = $1 and id = $2`,
    [companyId, id, JSON.stringify(submission), at, deleteAfter(at, days)],
  )
}

/** Whether this is what the employee has sent already. */
export async function isSameSubmission(sql: Sql, { companyId, id }: Id, submission: Submission): Promise<boolean> {
  const [row] = await sql.query<{ same: boolean }>(
    'select submission = $3::jsonb as same from onboarding_invitation where company_id = $1 and id = $2',
    [companyId, id, JSON.stringify(submission)],
  )
  return row?.same === true
}

/** Returns a submission to the employee, whose link works for seven days at least, but not beyond the day on which it is deleted. */
export async function returnInvitation(sql: Sql, { companyId, id }: Id, message: string, at: Date): Promise<boolean> {
  const returned = await sql.execute(
    `update onboarding_invitation set status = 'returned', return_message = $3, attempts = 0, updated_at = $4,
       expires_at = least(greatest(expires_at, $6::timestamptz), delete_after)
     where company_id = $1 and id = $2 and status = any($5::text[])`,
    [companyId, id, message, at, statusesBefore('returned'), new Date(at.getTime() + 7 * dayMs)],
  )
  return returned === 1
}

/** Approves a submission if it is the one of this time. Of its content only the choices stay: the rest is in the inclusion. */
export async function approveInvitation(
  sql: Sql,
  { companyId, id }: Id,
  { submittedAt, requestId, at }: { submittedAt: string; requestId: string | null; at: Date },
): Promise<boolean> {
  const approved = await sql.execute(
    `update onboarding_invitation set status = 'approved', request_id = $3, submission = submission - 'member' - 'dependents',
       session_hash = null, session_expires_at = null, updated_at = $4
     where company_id = $1 and id = $2 and status = any($5::text[]) and submitted_at = $6::timestamptz`,
    [companyId, id, requestId, at, statusesBefore('approved'), submittedAt],
  )
  return approved === 1
}

/** Ends invitations of a company without an inclusion. @returns the ids of those that it ended. */
export async function endInvitations(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  status: 'expired' | 'revoked',
  at: Date,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update onboarding_invitation set status = $4, session_hash = null, session_expires_at = null, updated_at = $3
     where company_id = $1 and id = any($2::uuid[]) and status = any($5::text[]) returning id`,
    [companyId, ids, at, status, statusesBefore(status)],
  )
  await cancelInvitationMails(sql, companyId, ids, at)
  return rows.map(({ id }) => id)
}

/** Deletes invitations of a company with their files, which become orphans. @returns those that another process has not deleted. */
export async function deleteInvitations(sql: Sql, companyId: string, ids: readonly string[]): Promise<string[]> {
  const files = await sql.query<{ key: string }>(
    `delete from onboarding_document where company_id = $1 and invitation_id = any($2::uuid[]) returning storage_key as key`,
    [companyId, ids],
  )
  await orphan(sql, files)
  const deleted = await sql.query<{ id: string }>(
    'delete from onboarding_invitation where company_id = $1 and id = any($2::uuid[]) returning id',
    [companyId, ids],
  )
  return deleted.map(({ id }) => id)
}

/** Inserts a file of an invitation. @returns false when it has too many. */
export async function insertFile(
  sql: Sql,
  { companyId, id }: Id,
  file: Omit<OnboardingFile, 'createdAt'>,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<boolean> {
  const inserted = await sql.execute(
    `insert into onboarding_document (company_id, invitation_id, id, storage_key, content_type, size, name, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8
     where (select count(*) from onboarding_document where company_id = $1 and invitation_id = $2) < $9`,
    [companyId, id, file.id, file.key, file.contentType, file.size, file.name, at, limit],
  )
  return inserted === 1
}

/** Deletes files of an invitation; what is stored of them becomes orphans. @returns how many. */
export async function deleteFiles(sql: Sql, { companyId, id }: Id, fileIds: readonly string[]): Promise<number> {
  const files = await sql.query<{ key: string }>(
    `delete from onboarding_document where company_id = $1 and invitation_id = $2 and id = any($3::uuid[])
     returning storage_key as key`,
    [companyId, id, fileIds],
  )
  await orphan(sql, files)
  return files.length
}

/** Moves the files of an invitation to the documents of a client: a movement in the same transaction uses them. */
export async function moveFiles(
  sql: Sql,
  { companyId, id }: Id,
  clientId: string,
  files: readonly OnboardingFile[],
): Promise<void> {
  await sql.execute(
    'delete from onboarding_document where company_id = $1 and invitation_id = $2 and id = any($3::uuid[])',
    [companyId, id, files.map((file) => file.id)],
  )
  await sql.execute(
    `insert into document (id, client_id, created_at, expires_at, uploaded_at, storage_key, content_type, size, name)
     select id, $1, "createdAt", "createdAt" + interval '30 minutes', "createdAt", key, "contentType", size, name
     from json_to_recordset($2::json)
       as moved(id uuid, key text, "contentType" text, size integer, name text, "createdAt" timestamptz)`,
    [clientId, Records.of(files)],
  )
}

async function orphan(sql: Sql, files: readonly { readonly key: string }[]): Promise<void> {
  if (files.length === 0) return
  await sql.execute(
    `insert into orphan_file (key, delete_after) select key, statement_timestamp() - interval '1 hour' from unnest($1::text[]) as file(key)`,
    [files.map(({ key }) => key)],
  )
}
