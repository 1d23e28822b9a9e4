import { checkActor } from '../../core/access.ts'
import type { ClientActor } from '../../core/actor.ts'
import { type Tx, write } from '../../core/write.ts'
import type { Context } from '../../http/context.ts'
import { type Sql, withPlansFor } from '../../core/database.ts'
import { ConnectionsBusyError, sqlState, toApiError } from '../../core/database-errors.ts'
import { ApiError } from '../../core/errors.ts'
import type { LocalDate } from '../../domain/calendar.ts'
import {
  type CompletionField,
  inapplicableFields,
  type MovementKind,
  outOfRangeDates,
} from '../../domain/completion-fields.ts'
import { byRank, type EnrollmentFacts, type Verdict } from '../../domain/enrollment-status.ts'
import type { EnrollmentStatus } from '../../domain/enums.ts'
import { lockFamilies } from '../transition/families.ts'
import { moveEach } from '../transition/transition.ts'
import type { Move } from '../transition/types.ts'

/** What became of a decision. */
export type Outcome =
  | Verdict
  | { readonly moved: false; readonly code: 'enrollment-not-found' | 'unavailable' }
  | {
      readonly moved: false
      readonly code: 'not-applicable' | 'date-out-of-range'
      readonly fields: readonly CompletionField[]
    }

/** The roles that may decide, beside `admin`. */
export const mayDecide = ['analyst'] as const

/** An enrollment with what its place among the decisions depends on. */
interface Decided extends MovementKind, Pick<EnrollmentFacts, 'id' | 'memberType' | 'primaryEnrollmentId'> {
  readonly companyId: string
  readonly benefitId: string
  /** The primary of the family. */
  readonly familyId: string
}

/** In the order in which its enrollments are decided. */
type Family = readonly Decided[]

interface Chunk {
  readonly companyId: string
  readonly families: readonly Family[]
}

/** What is decided in one transaction each, and what is not decided at all. */
export interface DecisionPlan {
  readonly chunks: readonly Chunk[]
  readonly refused: ReadonlyMap<string, Outcome>
}

/** Of one transaction. A family is never divided. */
const maxChunk = 250

/** The ids of a chunk. */
export function idsOf({ families }: Chunk): string[] {
  return families.flat().map(({ id }) => id)
}

/**
 * Decides on enrollments of any companies, as an operator, with a move for each: as if the transitions were made one by one, primaries
 * first; an enrollment that another decision took to the same status counts as moved. Runs in one transaction for each chunk.
 * @returns an outcome for every id. `unavailable`: the database failed after other chunks were committed.
 */
export async function decideEnrollments(
  context: Context,
  actor: ClientActor,
  moves: ReadonlyMap<string, Move>,
): Promise<Map<string, Outcome>> {
  const { chunks, refused } = await planDecisions(context.database, moves, context.today())
  const outcomes = new Map(refused)
  let committed = 0
  for (const chunk of chunks) {
    try {
      const lock = (sql: Sql) => lockChunk(sql, chunk)
      const decided = await write(context, actor, { may: mayDecide, lock, retriesUniqueViolation: true }, (tx) =>
        decideChunk(tx, context, chunk, moves),
      )
      for (const [id, outcome] of decided) outcomes.set(id, outcome)
      committed += 1
    } catch (error) {
      const isOfThem = error instanceof ApiError && !(error instanceof ConnectionsBusyError)
      if (committed === 0 || isOfThem) throw error
      toApiError(error, context.log)
      break
    }
  }
  for (const id of moves.keys()) if (!outcomes.has(id)) outcomes.set(id, { moved: false, code: 'unavailable' })
  return outcomes
}

/**
 * `decideEnrollments` in the transaction of its actor, for the moves of few chunks.
 * @throws ApiError 401 when the operator was removed, 403 when its role may not decide any more: the caller rolls back.
 */
export async function decideWithin(
  tx: Tx,
  context: Context,
  moves: ReadonlyMap<string, Move>,
): Promise<Map<string, Outcome>> {
  const { chunks, refused } = await planDecisions(tx, moves, context.today())
  const outcomes = new Map(refused)
  for (const chunk of chunks) await lockChunk(tx, chunk)
  await checkActor(tx, tx.actor, mayDecide, [], true)
  for (const chunk of chunks) {
    for (const [id, outcome] of await decideChunk(tx, context, chunk, moves)) outcomes.set(id, outcome)
  }
  return outcomes
}

/** Which decisions are made together; those on unknown enrollments, and with fields that are wrong whatever the status is, are refused. */
export async function planDecisions(
  sql: Sql,
  moves: ReadonlyMap<string, Move>,
  today: LocalDate,
): Promise<DecisionPlan> {
  const found = await readDecided(sql, [...moves.keys()])
  const refused = new Map<string, Outcome>()
  const decidable: Decided[] = []
  for (const one of found) {
    const refusal = fieldsError(moves.get(one.id) as Move, one, today)
    if (refusal === null) decidable.push(one)
    else refused.set(one.id, refusal)
  }
  const known = new Set(found.map(({ id }) => id))
  for (const id of moves.keys()) if (!known.has(id)) refused.set(id, { moved: false, code: 'enrollment-not-found' })
  return { chunks: chunksOf(decidable), refused }
}

/** Why what was sent with a decision is refused, whatever the status of the movement. */
function fieldsError(move: Move, movement: MovementKind, today: LocalDate): Outcome | null {
  const inapplicable = inapplicableFields(move, movement)
  if (inapplicable.length > 0) return { moved: false, code: 'not-applicable', fields: inapplicable }
  const far = move.confirm === true ? [] : outOfRangeDates(move, today)
  return far.length > 0 ? { moved: false, code: 'date-out-of-range', fields: far } : null
}

function readDecided(sql: Sql, ids: readonly string[]): Promise<Decided[]> {
  return withPlansFor(sql, ids.length).queryPlanned<Decided>(
    `select id, company_id as "companyId", enrollment_type as "enrollmentType", new_benefit_id is not null as "isTransfer",
       member_type as "memberType", primary_enrollment_id as "primaryEnrollmentId", benefit_id as "benefitId",
       coalesce(primary_member_id, member_id) as "familyId"
     from enrollment where id = any($1::uuid[]) order by company_id, id`,
    [ids],
  )
}

function chunksOf(found: readonly Decided[]): Chunk[] {
  const chunks: Chunk[] = []
  for (const [companyId, own] of Map.groupBy(found, (one) => one.companyId)) {
    let families: Family[] = []
    let size = 0
    for (const family of Map.groupBy(own, (one) => one.familyId).values()) {
      if (size > 0 && size + family.length > maxChunk) {
        chunks.push({ companyId, families })
        families = []
        size = 0
      }
      families.push(family.toSorted(byRank))
      size += family.length
    }
    chunks.push({ companyId, families })
  }
  return chunks
}

async function lockChunk(sql: Sql, { companyId, families }: Chunk): Promise<void> {
  const benefitIds = families.flat().map(({ benefitId }) => benefitId)
  await lockFamilies(withPlansFor(sql, benefitIds.length), companyId, benefitIds)
}

/** The families must be locked. */
async function decideChunk(
  tx: Tx,
  context: Context,
  { companyId, families }: Chunk,
  moves: ReadonlyMap<string, Move>,
): Promise<Map<string, Outcome>> {
  const decide = async (parts: readonly (readonly Family[])[]) => {
    const outcomes = new Map<string, Outcome>()
    for (const part of parts) await decideFamilies(tx, context, { companyId, families: part }, moves, outcomes)
    return outcomes
  }
  if (families.length === 1) return decide([families])
  try {
    return await tx.savepoint(() => decide([families]))
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
    // Two families exclude each other, e.g. by the same new CPF: the second one is judged by what the first one did.
    return decide(families.map((family) => [family]))
  }
}

const uniqueViolation = '23505'

/** One statement serves many families, but never two enrollments of one: the second is judged by what the first one did. */
async function decideFamilies(
  tx: Tx,
  context: Context,
  { companyId, families }: Chunk,
  moves: ReadonlyMap<string, Move>,
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const statuses = new Map<string, EnrollmentStatus>()
  const longest = Math.max(...families.map((family) => family.length))
  for (let index = 0; index < longest; index += 1) {
    const own = new Map<string, Move>()
    for (const family of families) {
      const id = family[index]?.id
      if (id === undefined) continue
      const move = moves.get(id) as Move
      if (statuses.get(id) === move.status) outcomes.set(id, { moved: true })
      else own.set(id, move)
    }
    if (own.size === 0) continue
    const { verdicts, steps } = await moveEach(tx, companyId, own, context)
    for (const [id, verdict] of verdicts) outcomes.set(id, verdict)
    for (const { id, status } of steps) statuses.set(id, status)
  }
}
