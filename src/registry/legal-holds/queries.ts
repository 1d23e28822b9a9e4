import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { pages } from '#platform/http/pages.ts'
import type { HoldQuery } from './schema.ts'

const holdJson = `json_build_object('legal-hold-id', legal_hold.id, 'tax-id', legal_hold.tax_id, 'company-tax-id', company.tax_id,
  'company-name', company.name, 'reason', legal_hold.reason, 'created-by', legal_hold.created_by, 'created-at', iso(legal_hold.created_at),
  'release-reason', legal_hold.release_reason, 'released-by', legal_hold.released_by, 'released-at', iso(legal_hold.released_at))`

const joined = 'legal_hold left join company on company.id = legal_hold.company_id'

/** A page of the holds, the newest first. */
export const holdPage = pages<Static<typeof HoldQuery>>({
  from: joined,
  item: holdJson,
  order: 'legal_hold.created_at desc, legal_hold.id desc',
  where: {
    'tax-id': (taxId) => `legal_hold.tax_id = ${taxId}::bpchar`,
    'company-tax-id': (taxId) => `company.tax_id = ${taxId}::bpchar`,
    'in-force': (inForce) => `(legal_hold.released_at is null) = ${inForce}::boolean`,
  },
})

/** A hold; null when there is none. */
export async function readHold(sql: Sql, id: string): Promise<object | null> {
  const rows = await sql.query<{ hold: object }>(`select ${holdJson} as hold from ${joined} where legal_hold.id = $1`, [
    id,
  ])
  return rows[0]?.hold ?? null
}

/** A hold on people whose CPF is corrected is on their rows from then on: it has the former CPF. @param former their CPFs, by member. */
export async function keepHolds(
  sql: Sql,
  former: readonly { readonly id: string; readonly taxId: string }[],
): Promise<void> {
  if (former.length === 0) return
  await sql.execute(
    `update legal_hold set member_ids = legal_hold.member_ids || corrected.ids from (
       select tax_id, array_agg(id) as ids from unnest($1::uuid[], $2::bpchar[]) as one(id, tax_id) group by tax_id) corrected
     where legal_hold.held_tax_id = corrected.tax_id`,
    [former.map(({ id }) => id), former.map(({ taxId }) => taxId)],
  )
}

interface NewHold {
  readonly id: string
  readonly taxId: string | null
  readonly companyId: string | null
  readonly reason: string
  readonly actorId: string
}

/** @returns false when one is in force already. */
export async function insertHold(sql: Sql, hold: NewHold, at: Date): Promise<boolean> {
  const { id, companyId, taxId, reason, actorId } = hold
  const people =
    taxId === null
      ? []
      : await sql.query<{ id: string }>('select distinct id from member where tax_id = $1::bpchar', [taxId])
  const inserted = await sql.execute(
    `insert into legal_hold (id, company_id, tax_id, reason, created_by, created_at, member_ids) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [id, companyId, taxId, reason, actorId, at, people.map((person) => person.id)],
  )
  return inserted === 1
}

/** Ends a hold. @returns its company, null for that of a person; or why it cannot be ended. */
export async function releaseHold(
  sql: Sql,
  { id, reason, actorId }: { readonly id: string; readonly reason: string; readonly actorId: string },
  at: Date,
): Promise<{ readonly companyId: string | null } | 'released' | 'unknown'> {
  const rows = await sql.query<{ companyId: string | null }>(
    `update legal_hold set release_reason = $2, released_by = $3, released_at = $4 where id = $1 and released_at is null
     returning company_id as "companyId"`,
    [id, reason, actorId, at],
  )
  if (rows[0] !== undefined) return rows[0]
  const known = await sql.query('select from legal_hold where id = $1', [id])
  return known.length > 0 ? 'released' : 'unknown'
}
