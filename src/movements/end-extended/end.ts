import { readCompanyOfBenefit } from '#coverage/benefits/queries.ts'
import type { Actor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { deactivated } from '#platform/core/events.ts'
import { Records } from '#platform/core/records.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { outOfRangeDates, outOfRangeDetails } from '#coverage/rules/completion-fields.ts'
import { earlier, lastDay, ownEnd } from '../rules/exclusion.ts'
import type { Context } from '#platform/http/context.ts'
import { closeMovementsOfEnded } from '../transition/close-ended.ts'
import { deletePendingReplacements, endBenefits, readExtended } from '../transition/exclusion-queries.ts'
import { endWithPrimaries, lockFamilies } from '../transition/families.ts'

/** On which day a benefit ends, and why. */
interface Ending {
  readonly 'end-date': LocalDate
  readonly reason: string
  readonly confirm?: boolean | undefined
}

/** Ends a benefit of an extension plan, with those of its dependents. @throws ApiError 400, 404 or 409; then nothing is stored. */
export async function endBenefit(
  context: Context,
  actor: Actor,
  id: string,
  { 'end-date': endDate, reason, confirm }: Ending,
): Promise<void> {
  const far = confirm === true ? [] : outOfRangeDates({ endDate }, context.today())
  if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
  const companyId = await readCompanyOfBenefit(context.database, id)
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [id])
  await write(context, actor, { may: ['analyst'], lock }, (tx) =>
    endFamily(tx, context, companyId, id, { endDate, reason }),
  )
}

/**
 * Ends a benefit of an extension plan with those of its dependents, whose families the caller has locked.
 * @throws ApiError 400 for a day before its start, 409 when no extension plan keeps it.
 */
export async function endFamily(
  sql: Tx,
  context: Context,
  companyId: string,
  id: string,
  { endDate, reason }: { readonly endDate: LocalDate; readonly reason: string },
): Promise<void> {
  const at = sql.at()
  let family = await readExtended(sql, companyId, id)
  const keys = family.map((member) => ({ companyId, id: member.id }))
  // The deletion restores the ends that the benefits had before the plan changes.
  if ((await deletePendingReplacements(sql, at, keys)) > 0) family = await readExtended(sql, companyId, id)
  const [named] = family
  if (named === undefined) throw new ApiError('benefit-not-under-extension-plan')
  if (endDate < named.startDate) {
    throw invalidBody([{ field: 'end-date', code: 'before-start-date' }], 'before-start-date')
  }
  const endings = family.map((member) => ({
    id: member.id,
    endDate: lastDay(member === named ? endDate : earlier(endDate, ownEnd(member, named)), member.startDate),
    extended: false,
    reason: reason.trim(),
  }))
  const ended = await endBenefits({ sql, companyId, at }, context.today(), endings)
  ended.push(...(await endWithPrimaries(sql, at, context.today(), Records.of(keys))))
  sql.emit(companyId, ended.map(deactivated))
  await closeMovementsOfEnded(
    sql,
    companyId,
    ended.map(({ id: endedId }) => endedId),
    context,
  )
  sql.audit(family.map(({ id: target }) => ({ action: 'benefit.ended', target, companyId })))
}
