import { ApiError, type DecisionJob, type Result } from '@vigencia/client'
import { api } from '../../api/client.ts'
import { type DecidedMovement, type Decision, stepsTo, type Target } from './decision.ts'

type SentOutcome = Result<'moveEnrollments'>[number]

/** As many as one call takes: more than 200 are a job of the service. */
const chunkSize = 10_000
/** The outcomes of more are waited for, with their progress: those of fewer are known before they are held. */
const maxJudged = 200

/**
 * What became of one movement. `already`: it has the status, set by another client or by a call whose response was lost. `conflict`: it has
 * another status than was shown.
 */
export type DecisionOutcome = { readonly movement: DecidedMovement } & (
  | { readonly kind: 'done' }
  /** It is made when the time to undo it is over. */
  | { readonly kind: 'held'; readonly jobId: string }
  /** While it waited. */
  | { readonly kind: 'undone' }
  | { readonly kind: 'already' | 'conflict' | 'refused'; readonly sent: SentOutcome }
  | { readonly kind: 'failed'; readonly error: Error }
)

/** Whether to do it again may help. */
export function isRetryable({ kind }: Pick<DecisionOutcome, 'kind'>): boolean {
  return !isSettled({ kind })
}

/** Whether the movement has the target now, or will have it by itself. */
export function isSettled({ kind }: Pick<DecisionOutcome, 'kind'>): boolean {
  return isMade({ kind }) || kind === 'already' || kind === 'undone'
}

/** Whether this decision is made, or held. */
export function isMade({ kind }: Pick<DecisionOutcome, 'kind'>): boolean {
  return kind === 'done' || kind === 'held'
}

const familyOf = (one: DecidedMovement) =>
  `${one['company-tax-id']} ${one['primary-member-tax-id'] ?? one['member-tax-id']}`

/** Chunks that leave families together: the service takes primaries first and their dependents with them. */
function chunksOf(movements: readonly DecidedMovement[], size: number): DecidedMovement[][] {
  const chunks: DecidedMovement[][] = []
  for (const family of Map.groupBy(movements, familyOf).values()) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + family.length <= size) last.push(...family)
    else chunks.push(family)
  }
  return chunks
}

/** How far decisions are. */
export interface DecisionProgress {
  readonly settled: number
  /** Whether the service has all of them: they go on when the page is closed. */
  readonly isAcknowledged: boolean
}

/** Decisions that wait for some seconds, in which they can be undone. */
export interface Held {
  readonly job: DecisionJob
  /** Those that are not refused. */
  readonly movements: readonly DecidedMovement[]
  /** The value of `Date.now()` before they were sent. */
  readonly sentAt: number
  /** Whether what becomes of them has to be reported: no outcome does. */
  readonly isFollowed: boolean
}

export interface DecideEvents {
  readonly onProgress: (progress: DecisionProgress) => void
  readonly onHeld: (held: Held) => void
}

/**
 * Decides on movements. Each succeeds or fails by itself.
 * @returns an outcome for each movement, in their order.
 */
export async function decide(
  movements: readonly DecidedMovement[],
  decision: Decision,
  { onProgress, onHeld }: DecideEvents,
): Promise<DecisionOutcome[]> {
  const outcomes = new Map<string, DecisionOutcome>()
  const chunks = chunksOf(movements, chunkSize)
  for (const [index, chunk] of chunks.entries()) {
    const before = outcomes.size
    const isLast = index === chunks.length - 1
    const ofChunk = await decideChunk(chunk, decision, {
      onHeld,
      onProgress: ({ settled, isAcknowledged }) =>
        onProgress({ settled: before + settled, isAcknowledged: isAcknowledged && isLast }),
    })
    for (const outcome of ofChunk) outcomes.set(outcome.movement.id, outcome)
  }
  return movements.flatMap(({ id }) => outcomes.get(id) ?? [])
}

async function decideChunk(
  chunk: readonly DecidedMovement[],
  decision: Decision,
  { onProgress, onHeld }: DecideEvents,
): Promise<DecisionOutcome[]> {
  const ways = new Map(chunk.map((one) => [one.id, stepsTo(one, decision.target)]))
  // Those that cannot get there are sent too: the service says why.
  const between = [...new Set([...ways.values()].flatMap((way) => way.slice(0, -1)))]
  const ended = new Map<string, DecisionOutcome>()
  const targets = [...between, decision.target]
  for (const [index, target] of targets.entries()) {
    const isLast = target === decision.target
    const onJob = ({ done, lines }: DecisionJob) => {
      const part = (index + done / lines) / targets.length
      onProgress({ settled: Math.floor(chunk.length * part), isAcknowledged: isLast })
    }
    const sent = chunk.filter(({ id }) => !ended.has(id) && (isLast || ways.get(id)?.includes(target)))
    const made = isLast ? decision : { ...decision, reason: null }
    for (const outcome of await send(sent, target, made, { onJob, ...(isLast ? { onHeld } : {}) })) {
      if (isLast || !isSettled(outcome)) ended.set(outcome.movement.id, outcome)
    }
  }
  return [...ended.values()]
}

async function send(
  movements: readonly DecidedMovement[],
  target: Target,
  { reason, pendingItems, completion }: Decision,
  { onJob, onHeld }: { onJob: (job: DecisionJob) => void; onHeld?: (held: Held) => void },
): Promise<DecisionOutcome[]> {
  if (movements.length === 0) return []
  const move = { status: target, ...(reason === null ? {} : { reason }) }
  const values = target === 'completed' ? completion : new Map<string, object>()
  try {
    const body =
      values.size > 0
        ? { items: movements.map(({ id }) => ({ 'enrollment-id': id, ...move, ...values.get(id) })) }
        : {
            'enrollment-ids': movements.map(({ id }) => id),
            ...move,
            ...(pendingItems.length === 0 ? {} : { 'pending-items': [...pendingItems] }),
          }
    const sentAt = Date.now()
    if (onHeld === undefined || movements.length > maxJudged) {
      let isHeld = false
      const onProgress = (job: DecisionJob) => {
        if (!isHeld && job['undo-until'] !== null) onHeld?.({ job, movements, sentAt, isFollowed: false })
        isHeld ||= job['undo-until'] !== null
        onJob(job)
      }
      const sent = await api.enrollments.transitionAll({ ...body, undoable: onHeld !== undefined }, { onProgress })
      return movements.map((movement, index) => outcomeOf(movement, sent[index]))
    }
    const sent = await api.enrollments.transitionUndoable(body)
    if (!Array.isArray(sent)) {
      const outcomes = await heldOutcomes(movements, sent)
      const held = outcomes.flatMap(({ kind, movement }) => (kind === 'held' ? [movement] : []))
      onHeld({ job: sent, movements: held, sentAt, isFollowed: true })
      return outcomes
    }
    return movements.map((movement, index) => outcomeOf(movement, sent[index]))
  } catch (error) {
    return movements.map((movement) => ({ movement, kind: 'failed', error: error as Error }))
  }
}

/** The outcomes of a job that can be undone; the service has refused some of its lines already. */
async function heldOutcomes(movements: readonly DecidedMovement[], job: DecisionJob): Promise<DecisionOutcome[]> {
  const refused = job.rejected === 0 ? [] : (await api.decisionJobs.result(job['job-id'])).result
  const byId = new Map(refused.map((line) => [line['enrollment-id'], line]))
  return movements.map((movement) => {
    const line = byId.get(movement.id)
    return line === undefined
      ? { movement, kind: 'held', jobId: job['job-id'] }
      : outcomeOf(movement, { ...line, 'enrollment-id': movement.id })
  })
}

function outcomeOf(movement: DecidedMovement, sent: SentOutcome | undefined): DecisionOutcome {
  if (sent?.error === undefined) return { movement, kind: 'done' }
  if (sent.code === 'decision-undone') return { movement, kind: 'undone' }
  if (sent.code !== 'illegal-transition') return { movement, kind: 'refused', sent }
  if (sent.from === sent.to) return { movement, kind: 'already', sent }
  const { from } = sent
  // Where it was shown, or where a step of this decision took it.
  const isExpected = from === movement.status || stepsTo(movement, sent.to as Target).some((step) => step === from)
  return { movement, kind: isExpected ? 'refused' : 'conflict', sent }
}

/** Whether one of the outcomes says that the session has ended. */
export function hasSessionEnded(outcomes: readonly DecisionOutcome[]): boolean {
  return outcomes.some((one) => one.kind === 'failed' && one.error instanceof ApiError && one.error.status === 401)
}
