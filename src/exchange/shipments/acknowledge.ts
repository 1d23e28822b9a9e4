import { v7 as uuidv7 } from 'uuid'
import type { Actor, ClientActor } from '#platform/core/actor.ts'
import { byCompany } from '#platform/core/by-company.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { type Acknowledgement, type AcknowledgementFlag, saysTheSame } from '#registry/rules/acknowledgement.ts'
import { type CompletionField, completionFieldsOf } from '#coverage/rules/completion-fields.ts'
import { needsReason } from '#coverage/rules/enrollment-status.ts'
import { cardKey } from '#coverage/rules/card-number.ts'
import type { Context } from '#platform/http/context.ts'
import { type DecisionResult, decideWithin, mayDecide, planChunks } from '#movements/decide/decide.ts'
import { insertJob } from '#movements/decide/job-queries.ts'
import { processJob } from '#movements/decide/job.ts'
import type { NotRead } from '#movements/decide/sent-lines.ts'
import { type StoredResult, storedResultOf } from '#movements/decide/results.ts'
import { correctWithin } from '#movements/correct-benefit/correct.ts'
import { lockFamilies } from '#movements/transition/families.ts'
import { readBenefitIds } from '#movements/transition/queries.ts'
import type { Decision, TransitionContext } from '#movements/transition/types.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import {
  type AcknowledgedItem,
  type CodeMeaning,
  type ItemAcknowledgement,
  readAcknowledgedItems,
  readCodeMap,
  readCardHolders,
  readMovementKeys,
  readRetriable,
  readRetriableShipments,
  readWaitingOfFamilies,
  storeAcknowledgements,
  storeLeft,
  type WaitingItem,
} from './acknowledgement-queries.ts'
import { cardOf, type MatchedLine } from './match-lines.ts'
import { type LockedShipment, lockShipment, type ShipmentKey } from './write.ts'

export interface AcknowledgementOptions {
  readonly dryRun: boolean
  /** The dates of all lines are meant, also those that are far from today. */
  readonly confirm: boolean
}

/** A line of a job. */
type SaidLine = Acknowledgement & { readonly confirm?: true }

/** Makes the job of an acknowledgement, with its audit rows. @param also in the same transaction. @returns its id. */
export async function createAcknowledgement(
  context: Context,
  actor: ClientActor,
  shipment: ShipmentKey,
  { lines, ...notRead }: NotRead & { readonly lines: readonly MatchedLine[] },
  { dryRun, confirm }: AcknowledgementOptions,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<string> {
  const id = uuidv7()
  const used = lines.flatMap((line) => ('says' in line && line.id !== null ? [line.id] : []))
  const chunks = await planChunks(context.database, used)
  const chunkOf = new Map(chunks.flatMap((ids, index) => ids.map((id) => [id, index])))
  const rows = lines.map((line) => {
    const chunk = line.id === null || 'refused' in line ? null : (chunkOf.get(line.id) ?? null)
    return {
      line: line.line,
      enrollment_id: line.id,
      chunk,
      decision: 'says' in line ? { ...line.says, ...(confirm && { confirm }) } : null,
      result: 'refused' in line ? line.refused : null,
    }
  })
  const { companyId } = shipment
  await write(context, actor, { may: mayDecide }, async (tx) => {
    const { clientId, origin } = actor
    await insertJob(tx, {
      id,
      actor: clientId,
      origin,
      dryRun,
      decision: null,
      shipmentId: shipment.id,
      notRead,
      undoSeconds: 0,
      lines: rows,
    })
    await also(tx)
    tx.audit({ action: 'decision-job.created', target: id, companyId: null })
    if (!dryRun) tx.audit({ action: 'shipment.acknowledged', target: shipment.id, companyId })
  })
  return id
}

/** Decides one chunk of the lines of an acknowledgement in the worker's transaction, as `processJob`. */
export function processAcknowledgement(
  context: TransitionContext,
  tx: Tx,
  jobId: string,
  attempts: number,
): Promise<'more' | 'done'> {
  return processJob<SaidLine>(tx, jobId, attempts, async (operator, lines, { shipmentId }) => {
    if (shipmentId === null) return new Map()
    const locked = await lockShipment(tx, shipmentId)
    const waiting = await readWaitingOfFamilies(tx, locked.companyId, locked.contractId, [...lines.keys()])
    const said = [...lines].map(([enrollmentId, { confirm, ...says }]) => ({
      enrollmentId,
      shipmentId: locked.id,
      says,
      confirm,
    }))
    const others = waiting.filter(({ enrollmentId }) => !lines.has(enrollmentId))
    const decider = async () => (await tx.asClient(operator, mayDecide)).as(carrierOf(operator))
    return settle(context, tx, locked, [...said, ...others], decider)
  })
}

/** In history and audit the carrier decides; the operator that sent its answer is in the audit row of the acknowledgement. */
function carrierOf({ origin }: ClientActor): Actor {
  return { kind: 'carrier', origin }
}

const maxShipments = 100

/** Completes the movements that the carrier has accepted, and whose primaries have become active since. */
export async function retryWaiting(
  context: Context,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<void> {
  const kind = 'waiting-acceptances'
  const shipments = await readRetriableShipments(context.database, maxShipments, await attempts.waiting(kind))
  for (const { companyId, id } of shipments) {
    if (signal.aborted) return
    await attempts.run({ kind, targetId: id, companyId }, () => retryShipment(context, id))
  }
}

async function retryShipment(context: Context, id: string): Promise<void> {
  await write(context, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, async (tx) => {
    const locked = await lockShipment(tx, id)
    const waiting = await readRetriable(tx, locked, CHUNK_SIZE)
    await settle(context, tx, locked, waiting, async () => tx.as({ kind: 'carrier' }))
  })
}

/**
 * Decides on movements as the carrier says, and stores what it says in the items of their shipments. The contract must be locked.
 * @param decider as that of `decideWithin`.
 */
async function settle(
  context: TransitionContext,
  tx: Tx,
  { companyId, contractId }: Pick<LockedShipment, 'companyId' | 'contractId'>,
  lines: readonly (WaitingItem & { readonly confirm?: true | undefined })[],
  decider: () => Promise<Tx>,
): Promise<ReadonlyMap<string, StoredResult>> {
  const ids = lines.map(({ enrollmentId }) => enrollmentId)
  for (const [ofCompany, own] of byCompany(await readMovementKeys(tx, companyId, ids))) {
    const movements = own.map(({ id }) => id)
    await lockFamilies(tx, ofCompany, await readBenefitIds(tx, ofCompany, movements))
  }
  const items = new Map((await readAcknowledgedItems(tx, companyId, lines)).map((item) => [item.enrollmentId, item]))
  const cards = lines.flatMap(({ says }) =>
    [cardOf(says) ?? [], Object.values(says.dependentCards ?? {}).map(cardKey)].flat(),
  )
  const holders = await readCardHolders(tx, companyId, contractId, cards)
  const codeMap = await readCodeMap(tx, companyId, contractId)
  const judged = lines.flatMap(({ enrollmentId, says, confirm = false }) => {
    const item = items.get(enrollmentId)
    if (item === undefined) return []
    const given = [
      { taxId: item.taxId, card: cardOf(says) },
      ...cardsOfDependents(item, says).map(({ taxId, cardNumber }) => ({ taxId, card: cardKey(cardNumber) })),
    ]
    const isDuplicate = given.some(
      ({ taxId, card }) => card !== null && holders.get(card)?.some((holder) => holder !== taxId) === true,
    )
    return [judge(item, says, codeMap, { isDuplicate, confirm })]
  })
  const decisions = new Map(
    judged.flatMap((line) => ('decision' in line ? [[line.item.enrollmentId, line.decision]] : [])),
  )
  const results = await decideWithin(tx, context, decider, decisions)
  const corrected = judged.flatMap((line) => [
    ...('benefitId' in line ? [{ benefitId: line.benefitId, cardNumber: line.says.cardNumber ?? undefined }] : []),
    ...line.lateCards,
  ])
  const corrector = corrected.length > 0 ? await decider() : null
  for (const { benefitId, cardNumber } of corrected) {
    const correction = { 'card-number': cardNumber, reason: lateCard }
    if (corrector !== null) await correctWithin(corrector, context.today(), companyId, benefitId, correction)
  }
  const stored = judged.flatMap((line) => storedOf(line, results))
  await storeAcknowledgements(tx, companyId, stored, tx.at())
  const left = new Set(judged.flatMap((line) => ('isStored' in line ? [line.item.enrollmentId] : [])))
  await storeLeft(
    { sql: tx, companyId, at: tx.at() },
    stored.filter(({ enrollmentId }) => left.has(enrollmentId)),
  )
  return new Map(judged.map((line) => [line.item.enrollmentId, resultOf(line, results)]))
}

/** What a line becomes: a decision, or a result without one. */
type JudgedLine = {
  readonly item: AcknowledgedItem
  /** Without the fields that its kind of movement does not have. */
  readonly says: Acknowledgement
  readonly flags: readonly AcknowledgementFlag[]
  /** The cards of the new benefits of dependents who have moved along. */
  readonly lateCards: readonly { readonly benefitId: string; readonly cardNumber: string }[]
} & (
  | { readonly decision: Decision }
  /** `isStored`: the side that leaves, whose movement the new carrier has decided. */
  | { readonly result: StoredResult; readonly isStored?: true }
  /** A card number that came later. */
  | { readonly result: StoredResult; readonly benefitId: string }
)

function judge(
  item: AcknowledgedItem,
  line: Acknowledgement,
  codeMap: readonly CodeMeaning[],
  { isDuplicate, confirm }: { readonly isDuplicate: boolean; readonly confirm: boolean },
): JudgedLine {
  const says = applicable(item, line)
  const without = (flags: readonly AcknowledgementFlag[], result: StoredResult = { status: item.movementStatus }) => ({
    item,
    says,
    flags,
    result,
    lateCards: [],
  })
  if (item.isInLater) return without(['in-later-shipment'])
  if (says.outcome === 'in-analysis') return without([])
  // For an item that an operator decided on, only the outcome is known.
  const cards = cardsOfDependents(item, line)
  const lateCards = cards.flatMap(({ cardlessId: benefitId, cardNumber }) =>
    item.status !== 'accepted' || isDuplicate || benefitId === null ? [] : [{ benefitId, cardNumber }],
  )
  const before = item.before ?? { ...nothing, outcome: says.outcome }
  if (item.status === says.outcome && saysTheSame(says, before))
    return { ...without([lateCards.length > 0 ? 'card-corrected' : 'unchanged']), lateCards }
  if (item.side === 'leaving') return { ...without([]), isStored: true }
  if (says.outcome === 'accepted') {
    const benefitId = correctedBenefit(item, says)
    if (benefitId !== null && !isDuplicate) {
      const result = { status: item.movementStatus, 'card-number': says.cardNumber ?? '' }
      return { item, says: { ...before, ...given(says) }, flags: ['card-corrected'], lateCards, result, benefitId }
    }
    if (isDuplicate) return without([], { code: 'duplicate-card' })
    const { cardNumber, startDate, endDate } = says
    const dependentCards = Object.fromEntries(cards.map((card) => [card.benefitId, card.cardNumber]))
    const decision = {
      status: 'completed',
      reason: null,
      cardNumber,
      dependentCards,
      startDate,
      endDate,
      confirm,
    } as const
    return { item, says, flags: [], lateCards: [], decision }
  }
  const meaning = codeMap.find(({ code }) => code === says.code)
  const flags = meaning === undefined ? (['unmapped-code'] as const) : []
  return { item, says, flags, lateCards: [], decision: refusal(says, meaning) }
}

/** The cards that the new carrier gives to dependents who move along. */
function cardsOfDependents({ side, dependents }: AcknowledgedItem, { outcome, dependentCards }: Acknowledgement) {
  if (side !== 'joining' || outcome !== 'accepted') return []
  return dependents.flatMap((dependent) => {
    const cardNumber = dependentCards?.[dependent.benefitId]
    return cardNumber === undefined ? [] : [{ ...dependent, cardNumber }]
  })
}

/** What is in the correction of a benefit, for operators. */
const lateCard = 'Número da carteirinha em retorno posterior da operadora'

/** The benefit of a movement that the carrier has accepted without a card number, which this line gives, and says nothing else that is new. */
function correctedBenefit({ status, cardless }: AcknowledgedItem, says: Acknowledgement): string | null {
  if (status !== 'accepted' || cardless === null || says.cardNumber === null) return null
  const isSameStart = says.startDate === null || says.startDate === cardless.startDate
  return isSameStart && says.endDate === null ? cardless.id : null
}

/** What a line says, without what it leaves empty. */
const given = (says: Acknowledgement): Partial<Acknowledgement> =>
  Object.fromEntries(Object.entries(says).filter(([, value]) => value !== null))

const nothing = { cardNumber: null, startDate: null, endDate: null, code: null, message: null, protocol: null }

/** A carrier's file has the card numbers of all people, also where the movement has none. */
function applicable(item: AcknowledgedItem, said: Acknowledgement): Acknowledgement {
  const { dependentCards: _, ...line } = said
  const fields = line.outcome === 'accepted' ? completionFieldsOf(item) : []
  const kept = <Value>(field: CompletionField, value: Value) => (fields.includes(field) ? value : null)
  return {
    ...line,
    cardNumber: kept('card-number', line.cardNumber),
    startDate: kept('start-date', line.startDate),
    endDate: kept('end-date', line.endDate),
  }
}

function refusal({ code, message }: Acknowledgement, meaning: CodeMeaning | undefined): Decision {
  const status = meaning?.status ?? 'pending-correction'
  const text =
    meaning?.reason ?? message ?? (code === null ? 'Refused by the carrier' : `Refused by the carrier: ${code}`)
  const pendingItems = meaning?.['pending-items']
  return {
    status,
    reason: needsReason(status) ? text : null,
    ...(pendingItems === undefined || status === 'rejected' ? {} : { pendingItems }),
  }
}

/** What is stored of a line that had an effect, or waits for its primary. */
function storedOf(line: JudgedLine, results: ReadonlyMap<string, DecisionResult>): ItemAcknowledgement[] {
  const { item, says } = line
  const { enrollmentId, shipmentId } = item
  const outcome = says.outcome === 'accepted' ? 'accepted' : 'refused'
  if ('isStored' in line || 'benefitId' in line) return [{ enrollmentId, shipmentId, status: outcome, says }]
  const result = 'decision' in line ? results.get(item.enrollmentId) : undefined
  if (result === undefined) return []
  if (result.accepted) return [{ enrollmentId, shipmentId, status: outcome, says }]
  const { status, before } = item
  const isNew = before === null || !saysTheSame(says, before)
  const waits = result.code === 'primary-member-not-active' && (status === 'sent' || status === 'unanswered')
  return waits && isNew ? [{ enrollmentId, shipmentId, status, says }] : []
}

function resultOf(line: JudgedLine, results: ReadonlyMap<string, DecisionResult>): StoredResult {
  const { item, says, flags } = line
  const { outcome, cardNumber, startDate, endDate } = says
  const said = {
    outcome,
    ...(cardNumber === null ? {} : { 'card-number': cardNumber }),
    ...(startDate === null ? {} : { 'start-date': startDate }),
    ...(endDate === null ? {} : { 'end-date': endDate }),
  }
  const flagged = flags.length === 0 ? {} : { flags }
  if ('result' in line) return { outcome, ...line.result, ...flagged }
  const result = results.get(item.enrollmentId) ?? ({ accepted: false, code: 'unavailable' } as const)
  return { ...said, ...storedResultOf(result, line.decision.status), ...flagged }
}
