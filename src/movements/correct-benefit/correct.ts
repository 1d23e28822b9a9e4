import { v7 as uuidv7 } from 'uuid'
import { readCompanyOfBenefit } from '#coverage/benefits/queries.ts'
import { updateBenefits } from '#coverage/benefits/write.ts'
import { auditActor, type ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { corrected } from '#platform/core/events.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { CORRECTED_FIELDS, type CorrectedField } from '../rules/benefit-correction.ts'
import { outOfRangeDates, outOfRangeDetails } from '#coverage/rules/completion-fields.ts'
import type { Context } from '#platform/http/context.ts'
import { lockFamilies } from '../transition/families.ts'
import {
  type CorrectedBenefit,
  insertCorrections,
  isCardTaken,
  isFamilyBroken,
  lockCard,
  readCorrected,
} from './queries.ts'

/** What is corrected of a benefit, and why. */
type Correction = Partial<Readonly<Record<CorrectedField, string | undefined>>> & {
  readonly reason: string
  readonly confirm?: boolean | undefined
}

/** Corrects a benefit. @throws ApiError 400, 404 or 409; then nothing is stored. */
export async function correctBenefit(
  context: Context,
  actor: ClientActor,
  id: string,
  correction: Correction,
): Promise<void> {
  const { 'start-date': startDate, 'end-date': endDate, confirm } = correction
  const dates = { startDate: startDate ?? null, endDate: endDate ?? null }
  const far = confirm === true ? [] : outOfRangeDates(dates, context.today())
  if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
  const companyId = await readCompanyOfBenefit(context.database, id)
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [id])
  await write(context, actor, { may: ['analyst'], lock }, (tx) =>
    correctWithin(tx, context.today(), companyId, id, correction),
  )
}

/** The same in a transaction that has locked the family, without a limit for the dates. */
export async function correctWithin(
  tx: Tx,
  today: string,
  companyId: string,
  id: string,
  correction: Correction,
): Promise<void> {
  const benefit = await readCorrected(tx, companyId, id)
  if (benefit === undefined) throw new ApiError('benefit-not-found')
  const changes = changesOf(benefit, correction)
  const changed = new Map(changes.map((change) => [change.field, change.new]))
  if (changes.length === 0) return
  judge(benefit, changed, today)
  const cardNumber = changed.get('card-number')
  if (cardNumber !== undefined) {
    await lockCard(tx, companyId, cardNumber)
    if (await isCardTaken(tx, companyId, id, cardNumber)) throw new ApiError('duplicate-card')
  }
  const at = tx.at()
  const [updated] = await updateBenefits(tx, at, {
    set: {
      card_number: 'coalesce($3::text, benefit.card_number)',
      start_date: 'coalesce($4::date, benefit.start_date)',
      end_date: 'coalesce($5::date, benefit.end_date)',
    },
    where: 'benefit.company_id = $1 and benefit.id = $2',
    values: [companyId, id, cardNumber ?? null, changed.get('start-date') ?? null, changed.get('end-date') ?? null],
  })
  const changesDates = changed.has('start-date') || changed.has('end-date')
  if (changesDates && (await isFamilyBroken(tx, companyId, id))) throw new ApiError('benefit-not-correctable')
  const rows = changes.map((change) => ({ ...change, id: uuidv7() }))
  const reason = correction.reason.trim()
  await insertCorrections(tx, { companyId, benefitId: id, reason, author: auditActor(tx.actor), at, rows })
  tx.emit(companyId, corrected(required(updated, 'benefit')))
  tx.audit({ action: 'benefit.updated', target: id, companyId })
}

interface Change {
  readonly field: CorrectedField
  readonly old: string | null
  readonly new: string
}

/** What differs from what is. */
function changesOf(benefit: CorrectedBenefit, correction: Correction): Change[] {
  const present = {
    'card-number': benefit.cardNumber,
    'start-date': benefit.startDate,
    'end-date': benefit.endDate,
  } satisfies Record<CorrectedField, string | null>
  return CORRECTED_FIELDS.flatMap((field) => {
    const asked = correction[field]?.trim()
    return asked === undefined || asked === '' || asked === present[field]
      ? []
      : [{ field, old: present[field], new: asked }]
  })
}

/** @throws ApiError for a benefit, or a date of it, that cannot be corrected by itself. */
function judge(benefit: CorrectedBenefit, changed: ReadonlyMap<CorrectedField, string>, today: string): void {
  const { status, endDate } = benefit
  if (status === 'pending') throw new ApiError('benefit-not-correctable')
  const end = changed.get('end-date')
  const start = changed.get('start-date')
  if (end === undefined && start === undefined) return
  const isVoid = endDate !== null && endDate < benefit.startDate
  if (benefit.isBound || benefit.isExtended || isVoid) throw new ApiError('benefit-not-correctable')
  if (end !== undefined && (endDate === null || end <= today !== (status === 'inactive'))) {
    throw new ApiError('benefit-not-correctable')
  }
  const [first, last] = [start ?? benefit.startDate, end ?? endDate]
  if (last !== null && last < first) {
    const field = end === undefined ? 'start-date' : 'end-date'
    throw invalidBody([{ field, code: 'before-start-date' }], 'before-start-date')
  }
}
