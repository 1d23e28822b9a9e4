import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { checkDays } from '#coverage/continuations/days.ts'
import { knownMonths } from './known-months.ts'
import { findContinuation, lockContinuation, type StoredContinuation } from '#coverage/continuations/queries.ts'
import type { EndBody, NewContinuationBody, NoticeBody, OptionBody } from '#coverage/continuations/schema.ts'
import {
  type ContinuationChange,
  putContinuations,
  readSettingsOfBenefits,
  termColumns,
  termUnder,
  updateContinuations,
} from '#coverage/continuations/write.ts'
import type { Actor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import { CONTINUATION_ACTS, type ContinuationEndReason, isOptionDateOutOfRange } from '#coverage/rules/continuation.ts'
import { ownEnd } from '../rules/exclusion.ts'
import type { Context } from '#platform/http/context.ts'
import { endFamily } from '../end-extended/end.ts'
import { endBenefits } from '../transition/exclusion-queries.ts'
import { lockFamilies } from '../transition/families.ts'
import { insertContinuationDrafts } from './drafts.ts'
import { findPrimaryBenefit, readFamilies } from './queries.ts'

/** The roles that decide about continuations, beside `admin`. */
export const mayContinue = ['analyst'] as const

/** @throws ApiError 404, 409 for a benefit that has one, and where nothing can be kept. @returns its id. */
export async function createContinuation(
  context: Context,
  actor: Actor,
  body: Static<typeof NewContinuationBody>,
): Promise<string> {
  const noticeDate = body['notice-date'] ?? null
  checkDays({ 'leaving-date': body['leaving-date'], 'notice-date': noticeDate }, context.today())
  const benefitId = body['benefit-id']
  const benefit = await findPrimaryBenefit(context.database, benefitId)
  if (benefit === null) throw new ApiError('benefit-not-found')
  const { companyId } = benefit
  if (body['leaving-date'] < benefit.startDate)
    throw invalidBody([{ field: 'leaving-date', code: 'before-start-date' }])
  const lock = (sql: Sql) => lockFamilies(sql, companyId, [benefitId])
  return write(context, actor, { may: mayContinue, lock }, async (tx) => {
    const locked = await findPrimaryBenefit(tx, benefitId)
    if (locked === null) throw new ApiError('benefit-not-found')
    if (locked.hasContinuation) throw new ApiError('continuation-exists')
    const facts = {
      ground: body.ground,
      contributionMonths: body['contribution-months'] ?? (await knownMonths(tx, benefitId, body['leaving-date'])),
      leavingDate: body['leaving-date'],
    }
    const verdict = termUnder((await readSettingsOfBenefits(tx, companyId, [benefitId])).get(benefitId), facts)
    if (verdict.kind === 'not-eligible') {
      throw new ApiError('continuation-not-eligible', { 'not-eligible-reason': verdict.reason })
    }
    const status = noticeDate === null ? 'notice-pending' : 'offered'
    const row = {
      id: uuidv7(),
      benefitId,
      ...facts,
      noticeDate,
      optionDate: null,
      status,
      ...termColumns(verdict),
    } as const
    const prices = body.prices === undefined ? {} : { prices: body.prices }
    await putContinuations(tx, companyId, [{ ...row, ...prices }], tx.at())
    tx.audit({ action: 'continuation.created', target: row.id, companyId })
    return row.id
  })
}

/** The employer's notice, from which the days to answer count. */
export async function offerContinuation(
  context: Context,
  actor: Actor,
  id: string,
  body: Static<typeof NoticeBody>,
): Promise<void> {
  checkDays({ 'notice-date': body['notice-date'] }, context.today())
  await act(context, actor, id, CONTINUATION_ACTS.notice, async (tx, { companyId }) => {
    const prices = body.prices === undefined ? {} : { prices: body.prices }
    const changed = { id, status: 'offered', noticeDate: body['notice-date'], ...prices } as const
    await change(tx, companyId, changed, CONTINUATION_ACTS.notice, 'continuation.offered')
  })
}

/** What the person answered. An accepted one keeps the benefits of the family, a declined one proposes their exclusion. */
export async function answerContinuation(
  context: Context,
  actor: Actor,
  id: string,
  body: Static<typeof OptionBody>,
): Promise<void> {
  const optionDate = body['option-date']
  checkDays({ 'option-date': optionDate }, context.today())
  const { option } = body
  const from = CONTINUATION_ACTS[option]
  await act(context, actor, id, from, async (tx, continuation) => {
    const { companyId, benefitId, noticeDate } = continuation
    if (isOptionDateOutOfRange(optionDate, noticeDate, context.today())) {
      throw invalidBody([{ field: 'option-date', code: 'invalid', message: { key: 'option-in-time' } }])
    }
    await change(tx, companyId, { id, status: option, optionDate }, from, `continuation.${option}`)
    if (option === 'accepted') await keepFamily(tx, context, companyId, benefitId)
    else await insertContinuationDrafts(tx, companyId, [{ ...continuation, endDate: optionDate }])
  })
}

/** Ends the right, and the benefits of the family with it. */
export async function endContinuation(
  context: Context,
  actor: Actor,
  id: string,
  body: Static<typeof EndBody>,
): Promise<void> {
  const { 'end-date': endDate, reason } = body
  checkDays({ 'end-date': endDate }, context.today())
  await act(context, actor, id, CONTINUATION_ACTS.end, async (tx, { companyId, benefitId }) => {
    // After a death the dependents who outlive the primary.
    const family = await readFamilies(tx, companyId, [benefitId])
    if (family.length > 0) await endFamily(tx, context, companyId, benefitId, { endDate, reason: endTexts[reason] })
    const changed = { id, status: 'ended', endDate, endReason: reason } as const
    await change(tx, companyId, changed, CONTINUATION_ACTS.end, 'continuation.ended')
  })
}

/** What is stored with each benefit. */
const endTexts: Readonly<Record<Exclude<ContinuationEndReason, 'term'>, string>> = {
  'new-job': 'Lei 9.656/1998, art. 30, § 5',
  request: 'A pedido do beneficiário',
  'company-plan-ended': 'Fim do plano da empresa',
  'death-of-all': 'Óbito dos beneficiários',
}

/** An act on a continuation of one of these statuses, with its family locked. @throws ApiError 404, 409. */
async function act(
  context: Context,
  actor: Actor,
  id: string,
  from: readonly StoredContinuation['status'][],
  work: (tx: Tx, continuation: StoredContinuation) => Promise<void>,
): Promise<void> {
  const found = await findContinuation(context.database, id)
  if (found === null) throw new ApiError('continuation-not-found')
  const lock = async (sql: Sql) => {
    await lockFamilies(sql, found.companyId, [found.benefitId])
    return lockContinuation(sql, found.companyId, id)
  }
  await write(context, actor, { may: mayContinue, lock }, async (tx, continuation) => {
    if (continuation === null) throw new ApiError('continuation-not-found')
    if (!from.includes(continuation.status)) {
      throw new ApiError('continuation-status', { status: continuation.status })
    }
    await work(tx, continuation)
  })
}

async function change(
  tx: Tx,
  companyId: string,
  changed: ContinuationChange,
  from: readonly StoredContinuation['status'][],
  action: AuditAction,
): Promise<void> {
  await updateContinuations(tx, companyId, [changed], from, tx.at())
  tx.audit({ action, target: changed.id, companyId })
}

/** Keeps the active benefits of a family as an extension plan does: marked, without an end. */
async function keepFamily(tx: Tx, context: Context, companyId: string, benefitId: string): Promise<void> {
  const family = await readFamilies(tx, companyId, [benefitId])
  const primary = required(
    family.find(({ type }) => type === 'primary'),
    'benefit',
  )
  for (const type of ['primary', 'dependent'] as const) {
    const ends = family
      .filter((benefit) => benefit.type === type && (benefit === primary || ownEnd(benefit, primary) === null))
      .map((benefit) => ({ id: benefit.id, endDate: benefit.startDate, extended: true }))
    if (ends.length > 0) await endBenefits({ sql: tx, companyId, at: tx.at() }, context.today(), ends)
  }
}
