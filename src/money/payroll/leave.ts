import { type Static, Type } from 'typebox'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody, invalidParameter, notEntitled } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { ResultOf } from '#platform/http/page.ts'
import { Closed, DateOnly, Named, Nullable } from '#platform/http/schemas.ts'

/** The roles that write unpaid leaves, beside `admin`. */
export const mayWriteLeave = ['analyst'] as const

const MAX_LEAVES = 20

const firstDay = { ...DateOnly, description: 'The first day without pay.' }
export const UnpaidLeaveBody = Closed(
  {
    'first-day': firstDay,
    'last-day': Type.Optional(Nullable({ ...DateOnly, description: 'The last day without pay; null: not known yet.' })),
  },
  { examples: [{ 'first-day': '2027-03-01', 'last-day': null }] },
)
type UnpaidLeaveInput = Static<typeof UnpaidLeaveBody>
export const UnpaidLeaveQuery = Closed({ 'first-day': { ...DateOnly, description: 'Of the leave to delete.' } })

const UnpaidLeave = Named('UnpaidLeave', Type.Object({ 'first-day': DateOnly, 'last-day': Nullable(DateOnly) }))
export const UnpaidLeaveResponse = ResultOf(UnpaidLeave)
export const UnpaidLeaves = ResultOf(Type.Array(UnpaidLeave, { description: 'By the first day.' }))

/** A member of a company. */
export interface LeaveKey {
  readonly companyId: string
  readonly memberId: string
}

/** The unpaid leaves of a member, by the first day. */
export async function readLeaves(sql: Sql, { companyId, memberId }: LeaveKey): Promise<Static<typeof UnpaidLeave>[]> {
  return sql.query<Static<typeof UnpaidLeave>>(
    `select first_day as "first-day", last_day as "last-day" from unpaid_leave
     where company_id = $1 and member_id = $2 order by first_day`,
    [companyId, memberId],
  )
}

/**
 * The company of a member, by its CNPJ where a person has several.
 * @throws ApiError 404 where there is no such member. 400 without the CNPJ of a person of several companies.
 */
export async function companyOf(sql: Sql, memberId: string, companyTaxId: string | undefined): Promise<string> {
  const rows = await sql.query<{ companyId: string }>(
    `select company.id as "companyId" from member join company on company.id = member.company_id
     where member.id = $1 and ($2::text is null or company.tax_id = $2) limit 2`,
    [memberId, companyTaxId ?? null],
  )
  if (rows.length > 1) throw invalidParameter([{ field: 'company-tax-id', code: 'missing' }])
  const [found] = rows
  if (found === undefined) throw new ApiError('member-not-found')
  return found.companyId
}

/** Whether the company has the member: a person has the same id in each of several companies. */
export async function isMemberOf(sql: Sql, { companyId, memberId }: LeaveKey): Promise<boolean> {
  const rows = await sql.query('select from member where company_id = $1 and id = $2', [companyId, memberId])
  return rows.length > 0
}

/** Inserts an unpaid leave, or replaces that with the same first day. The reason of a leave is not stored. @throws ApiError 404, 400. */
export async function putLeave(
  context: Context,
  actor: ClientActor,
  key: LeaveKey,
  body: UnpaidLeaveInput,
): Promise<Static<typeof UnpaidLeave>> {
  const { 'first-day': first, 'last-day': last = null } = body
  if (last !== null && last < first) throw invalidBody([{ field: 'last-day', code: 'before-start-date' }])
  return writeLeave(context, actor, key, async (tx) => {
    const others = (await readLeaves(tx, key)).filter((leave) => leave['first-day'] !== first)
    const overlaps = others.some(
      (leave) => leave['first-day'] <= (last ?? '9999-12-31') && first <= (leave['last-day'] ?? '9999-12-31'),
    )
    if (overlaps) throw invalidBody([{ field: 'first-day', code: 'invalid', message: { key: 'overlapping-leave' } }])
    if (others.length >= MAX_LEAVES) {
      throw invalidBody([{ field: 'first-day', code: 'invalid', message: { key: 'too-many-leaves' } }])
    }
    await tx.execute(
      `insert into unpaid_leave (company_id, member_id, first_day, last_day, updated_at) values ($1, $2, $3, $4, $5)
       on conflict (company_id, member_id, first_day) do update set last_day = excluded.last_day, updated_at = excluded.updated_at`,
      [key.companyId, key.memberId, first, last, tx.at()],
    )
    tx.audit({ action: 'unpaid-leave.set', target: key.memberId, companyId: key.companyId })
    return { 'first-day': first, 'last-day': last }
  })
}

/** @throws ApiError 404 where there is no leave with this first day. */
export async function deleteLeave(context: Context, actor: ClientActor, key: LeaveKey, first: string): Promise<void> {
  await writeLeave(context, actor, key, async (tx) => {
    const deleted = await tx.execute(
      'delete from unpaid_leave where company_id = $1 and member_id = $2 and first_day = $3',
      [key.companyId, key.memberId, first],
    )
    if (deleted === 0) throw new ApiError('unpaid-leave-not-found')
    tx.audit({ action: 'unpaid-leave.deleted', target: key.memberId, companyId: key.companyId })
  })
}

/** A write of the leaves of a member, whose row is locked. */
async function writeLeave<T>(
  context: Context,
  actor: ClientActor,
  { companyId, memberId }: LeaveKey,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const companies = { ids: [companyId], entitled: 'all', error: () => notEntitled('company') } as const
  const may = actor.kind === 'partner' ? 'partner' : mayWriteLeave
  return write(context, actor, { may, companies }, async (tx) => {
    const locked = await tx.query('select from member where company_id = $1 and id = $2 for no key update', [
      companyId,
      memberId,
    ])
    if (locked.length === 0) throw new ApiError('member-not-found')
    return work(tx)
  })
}
