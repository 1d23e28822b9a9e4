import { pages } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import type { Sql } from '#platform/core/database.ts'

/** The company of an enrollment; null when there is no such enrollment. */
export async function readEnrollmentCompany(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.query<{ companyId: string }>(
    'select company_id as "companyId" from enrollment where id = $1',
    [enrollmentId],
  )
  return rows[0]?.companyId ?? null
}

interface Note {
  readonly companyId: string
  readonly enrollmentId: string
  readonly id: string
  readonly text: string
  /** Client id of the operator, or of the partner whose comment it is. */
  readonly author: string
  readonly at: Date
}

/** Inserts a note. */
export async function insertNote(sql: Sql, note: Note): Promise<void> {
  await sql.execute(
    `insert into enrollment_note (company_id, enrollment_id, id, text, author, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [note.companyId, note.enrollmentId, note.id, note.text, note.author, note.at],
  )
}

/** A page of the notes of an enrollment, oldest first. */
export const notePage = pages<PageQuery>({
  from: 'enrollment_note',
  item: `json_build_object('id', id, 'text', text, 'author', author, 'created-at', iso(created_at))`,
  order: 'created_at, id',
  where: {},
})
