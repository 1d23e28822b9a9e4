import type { ClientActor } from '#platform/core/actor.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { chunksOf } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import { ConnectionsBusyError, sqlState, toApiError } from '#platform/core/database-errors.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import {
  type CompletionField,
  inapplicableFields,
  type CompletedMovement,
  outOfRangeDates,
} from '#coverage/rules/completion-fields.ts'
import { byRank, type EnrollmentFacts, type TransitionResult } from '../rules/transitions.ts'
import type { EnrollmentStatus } from '#kernel/enums.ts'
import { lockFamilies } from '../transition/families.ts'
import { transitionEach } from '../transition/transition.ts'
import type { Decision, TransitionContext } from '../transition/types.ts'

/** What became of a decision. */
export type DecisionResult =
  | TransitionResult
  | { readonly accepted: false; readonly code: 'enrollment-not-found' | 'unavailable' }
  | {
      readonly accepted: false
      readonly code: 'not-applicable' | 'date-out-of-range'
      readonly fields: readonly CompletionField[]
    }

/** The roles that may decide, beside `admin`. */
export const mayDecide = ['analyst'] as const

/** An enrollment with what its place among the decisions depends on. */
interface Decided extends CompletedMovement, Pick<EnrollmentFacts, 'id' | 'memberType' | 'primaryEnrollmentId'> {
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
interface DecisionPlan {
  readonly chunks: readonly Chunk[]
  readonly refused: ReadonlyMap<string, DecisionResult>
}

/** The ids of a chunk. */
export function idsOf({ families }: Chunk): string[] {
  return families.flat().map(({ id }) => id)
}

/**
 * Decides on enrollments of any companies, as an operator, with a decision for each: as if the transitions were made one by one, primaries
 * first; an enrollment that another decision took to the same status counts as accepted. Runs in one transaction for each chunk.
 * @returns a result for every id. `unavailable`: the database failed after other chunks were committed.
 */
export async function decideEnrollments(
  context: Context,
  actor: ClientActor,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Map<string, DecisionResult>> {
  const { chunks, refused } = await planDecisions(context.database, decisions, context.today())
  const results = new Map(refused)
  let committed = 0
  for (const chunk of chunks) {
    try {
      const lock = (sql: Sql) => lockChunk(sql, chunk)
      const decided = await write(context, actor, { may: mayDecide, lock, retriesUniqueViolation: true }, (tx) =>
        decideChunk(tx, context, chunk, decisions),
      )
      for (const [id, result] of decided) results.set(id, result)
      committed += 1
    } catch (error) {
      const isOfThem = error instanceof ApiError && !(error instanceof ConnectionsBusyError)
      if (committed === 0 || isOfThem) throw error
      toApiError(error, context.log)
      break
    }
  }
  for (const id of decisions.keys()) if (!results.has(id)) results.set(id, { accepted: false, code: 'unavailable' })
  return results
}

/**
 * `decideEnrollments` in a transaction of the service, for the decisions of few chunks.
 * @param decider the transaction for the actor that decides, checked under the locks.
 * @throws ApiError 401 when the operator was removed, 403 when its role may not decide any more: the caller rolls back.
 */
export async function decideWithin(
  tx: Tx,
  context: TransitionContext,
  decider: () => Promise<Tx>,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Map<string, DecisionResult>> {
  const { chunks, refused } = await planDecisions(tx, decisions, context.today())
  const results = new Map(refused)
  for (const chunk of chunks) await lockChunk(tx, chunk)
  const deciding = await decider()
  for (const chunk of chunks) {
    for (const [id, result] of await decideChunk(deciding, context, chunk, decisions)) results.set(id, result)
  }
  return results
}

/** Which decisions are made together; those on unknown enrollments, and with fields that are wrong whatever the status is, are refused. */
export async function planDecisions(
  sql: Sql,
  decisions: ReadonlyMap<string, Decision>,
  today: LocalDate,
): Promise<DecisionPlan> {
  const found = await readDecided(sql, [...decisions.keys()])
  const refused = new Map<string, DecisionResult>()
  const decidable: Decided[] = []
  for (const enrollment of found) {
    const refusal = fieldsError(decisions.get(enrollment.id) as Decision, enrollment, today)
    if (refusal === null) decidable.push(enrollment)
    else refused.set(enrollment.id, refusal)
  }
  const known = new Set(found.map(({ id }) => id))
  for (const id of decisions.keys())
    if (!known.has(id)) refused.set(id, { accepted: false, code: 'enrollment-not-found' })
  return { chunks: companyChunks(decidable), refused }
}

/** Why what was sent with a decision is refused, whatever the status of the movement. */
function fieldsError(decision: Decision, movement: CompletedMovement, today: LocalDate): DecisionResult | null {
  const inapplicable = inapplicableFields(decision, movement)
  if (inapplicable.length > 0) return { accepted: false, code: 'not-applicable', fields: inapplicable }
  const far = decision.confirm === true ? [] : outOfRangeDates(decision, today)
  return far.length > 0 ? { accepted: false, code: 'date-out-of-range', fields: far } : null
}

/** The chunks of the families of these enrollments, each with their ids; an unknown one is in none. */
export async function planChunks(sql: Sql, ids: readonly string[]): Promise<string[][]> {
  return companyChunks(await readDecided(sql, ids)).map(idsOf)
}

function readDecided(sql: Sql, ids: readonly string[]): Promise<Decided[]> {
  return sql.query<Decided>(
    `select id, company_id as "companyId", enrollment_type as "enrollmentType", new_benefit_id is not null as "isTransfer",
       alteration_kind as "alterationKind",
       member_type as "memberType", primary_enrollment_id as "primaryEnrollmentId", benefit_id as "benefitId",
       coalesce(primary_member_id, member_id) as "familyId"
     from enrollment where id = any($1::uuid[]) order by company_id, id`,
    [ids],
  )
}

/** A family is never divided. */
function companyChunks(found: readonly Decided[]): Chunk[] {
  return [...Map.groupBy(found, (enrollment) => enrollment.companyId)].flatMap(([companyId, own]) => {
    const families = [...Map.groupBy(own, (enrollment) => enrollment.familyId).values()].map((family) =>
      family.toSorted(byRank),
    )
    return chunksOf(families).map((chunk) => ({ companyId, families: chunk }))
  })
}

async function lockChunk(sql: Sql, { companyId, families }: Chunk): Promise<void> {
  const benefitIds = families.flat().map(({ benefitId }) => benefitId)
  await lockFamilies(sql, companyId, benefitIds)
}

/** The families must be locked. */
async function decideChunk(
  tx: Tx,
  context: TransitionContext,
  { companyId, families }: Chunk,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Map<string, DecisionResult>> {
  const decide = async (parts: readonly (readonly Family[])[]) => {
    const results = new Map<string, DecisionResult>()
    for (const part of parts) await decideFamilies(tx, context, { companyId, families: part }, decisions, results)
    return results
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
  context: TransitionContext,
  { companyId, families }: Chunk,
  decisions: ReadonlyMap<string, Decision>,
  results: Map<string, DecisionResult>,
): Promise<void> {
  const statuses = new Map<string, EnrollmentStatus>()
  const longest = Math.max(...families.map((family) => family.length))
  for (let index = 0; index < longest; index += 1) {
    const own = new Map<string, Decision>()
    for (const family of families) {
      const id = family[index]?.id
      if (id === undefined) continue
      const decision = decisions.get(id) as Decision
      if (statuses.get(id) === decision.status) results.set(id, { accepted: true })
      else own.set(id, decision)
    }
    if (own.size === 0) continue
    const judged = await transitionEach(tx, companyId, own, context)
    for (const [id, result] of judged.results) results.set(id, result)
    for (const { id, status } of judged.steps) statuses.set(id, status)
  }
}
