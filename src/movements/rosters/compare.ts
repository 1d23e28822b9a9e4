import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Sql } from '#platform/core/database.ts'
import { rosterSyncEvent } from '#platform/core/events.ts'
import { InvariantError } from '#platform/core/log.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { openThreadSession, openThreads } from '#platform/core/threads.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { brokenReason } from '../drafts/broken.ts'
import { EarlierRequestError } from '../postponed.ts'
import type { RosterTerms } from '../rules/roster.ts'
import { addTally } from '../rules/roster-doubts.ts'
import { type ComparedSync, lockCompared, type Within } from './compared-sync.ts'
import type { Compared, CompareTask } from './compare-thread.ts'
import { readFamilies, readProducts } from './facts.ts'
import { finishRoster } from './finish.ts'
import { judgeItems } from './judge.ts'
import { matchPeople } from './match.ts'
import { insertItems } from './item-rows.ts'
import { endSync, restartReading, type RosterSyncProblem } from './rows.ts'

/** The people of a list: so many are compared in a step. */
const PEOPLE_OF_STEP = 4 * CHUNK_SIZE

const threads = openThreads({
  file: new URL('./compare-thread.ts', import.meta.url),
  max: 2,
  // Hundreds of people take milliseconds.
  maxMs: 30_000,
  heapMiB: 256,
})

/**
 * A step of the comparison of a list in the worker's transaction: first who its lines are, then family by family what differs, then the draft.
 * Safe to run twice: a step that did not commit has left nothing. Waits for the movements of the company that were accepted before the list came.
 */
export async function compareRoster(context: Context, tx: Tx, companyId: string, syncId: string): Promise<Progress> {
  const sync = await lockCompared(tx, companyId, syncId)
  if (sync === null) return 'done'
  try {
    await tx.asClient(sync.actor, mayRequest(sync.actor), [companyId])
  } catch (error) {
    const problem = brokenReason(error)
    if (problem === null) throw error
    return fail(tx, sync, { problem, field: null, line: null })
  }
  if (await hasLostLines(tx, companyId, syncId)) {
    await restartReading(tx, companyId, syncId)
    return 'more'
  }
  const productIds = await productsOfScope(tx, companyId, sync.within)
  if (sync.of === null) {
    if (await hasEarlierWork(tx, companyId, syncId)) throw new EarlierRequestError()
    const { 'cost-centers': costCenters, 'employee-company-tax-ids': employerTaxIds } = sync.within
    const of = await matchPeople(tx, companyId, syncId, {
      costCenters: orAll(costCenters),
      employerTaxIds: orAll(employerTaxIds),
      productIds,
    })
    if (of === null) return fail(tx, sync, { problem: 'too-many-lines', field: 'primary-member-tax-id', line: null })
    await tx.execute('update roster_sync set of = $3 where company_id = $1 and id = $2', [companyId, syncId, of])
    return 'more'
  }
  if (sync.compared === sync.of) {
    await finishRoster(context, tx, sync)
    return 'done'
  }
  return compareNext(context, tx, sync, productIds)
}

async function fail(tx: Tx, { companyId, id, actor }: ComparedSync, problem: RosterSyncProblem): Promise<Progress> {
  await endSync(tx, companyId, id, 'failed', [problem])
  tx.audit({ action: 'roster-sync.failed', target: id, companyId })
  if (actor.kind === 'partner') tx.emit(companyId, rosterSyncEvent({ id, counts: null }))
  return 'done'
}

async function compareNext(
  context: Context,
  tx: Tx,
  sync: ComparedSync,
  productIds: readonly string[] | null,
): Promise<Progress> {
  const { companyId, id: syncId, asOf, actor, companyTaxId, intake } = sync
  const at = { companyId, syncId, after: sync.through, asOf, today: context.today() }
  const { families, through, people } = await readFamilies(tx, at, productIds, PEOPLE_OF_STEP)
  if (families === null) throw new InvariantError('people of a list are gone')
  const terms = await termsOf(context, tx, sync, productIds)
  const { items, tally } = await deriveInThread({ terms, families })
  const judged = await judgeItems(context, tx, items, { actor, companyTaxId, intake })
  await insertItems(tx, companyId, syncId, judged)
  await tx.execute(
    'update roster_sync set compared = compared + $3, compared_through = $4, tally = $5 where company_id = $1 and id = $2',
    [companyId, syncId, people, through, addTally(sync.tally, tally)],
  )
  return 'more'
}

async function deriveInThread(task: CompareTask): Promise<Compared> {
  const session = openThreadSession<CompareTask, Compared>(threads)
  try {
    return await session.request(task)
  } finally {
    session.end()
  }
}

async function termsOf(
  context: Context,
  sql: Sql,
  { companyId, asOf, states, within, defaults }: ComparedSync,
  productIds: readonly string[] | null,
): Promise<RosterTerms> {
  const { 'start-option': startOption = null, products: productNames = [] } = defaults
  return {
    today: context.today(),
    asOf,
    states,
    isPartOfCompany: orAll(within['cost-centers']) !== null || orAll(within['employee-company-tax-ids']) !== null,
    defaults: { startOption, productNames },
    products: await readProducts(sql, companyId, productIds),
  }
}

/** An empty list narrows nothing. */
const orAll = (list: readonly string[] | undefined): readonly string[] | null =>
  list === undefined || list.length === 0 ? null : list

/** The products that a list is about; null: all. */
async function productsOfScope(sql: Sql, companyId: string, within: Within): Promise<readonly string[] | null> {
  const [types, ids] = [orAll(within['product-types']), orAll(within['product-ids'])]
  if (types === null && ids === null) return null
  const rows = await sql.query<{ id: string }>(
    `select id from product where company_id = $1 and ($2::text[] is null or product_type = any($2::text[]))
       and ($3::uuid[] is null or id = any($3::uuid[]))`,
    [companyId, types, ids],
  )
  return rows.map(({ id }) => id)
}

/** Whether movements of the company that were accepted before the list are not stored yet. Those that were put aside are not waited for. */
async function hasEarlierWork(sql: Sql, companyId: string, syncId: string): Promise<boolean> {
  const rows = await sql.query(
    `select from work where company_id = $1 and kind in ('inclusion', 'exclusion', 'alteration', 'movement-draft') and run_at < 'infinity'
       and created_at <= (select own.created_at from work own where own.kind = 'roster-sync' and own.target_id = $2) limit 1`,
    [companyId, syncId],
  )
  return rows.length > 0
}

/** A crash of the database empties the tables that are not logged, all of them: what was compared is lost too. */
async function hasLostLines(sql: Sql, companyId: string, syncId: string): Promise<boolean> {
  const rows = await sql.query('select from roster_line where company_id = $1 and sync_id = $2 limit 1', [
    companyId,
    syncId,
  ])
  return rows.length === 0
}
