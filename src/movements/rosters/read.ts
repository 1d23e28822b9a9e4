import { join } from 'node:path'
import { required } from '#platform/core/log.ts'
import { rosterSyncEvent } from '#platform/core/events.ts'
import { openThreadSession, openThreads, ThreadTimeoutError } from '#platform/core/threads.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { FileStep, Progress } from '#platform/http/district.ts'
import { readProfile } from '../imports/column-profile.ts'
import { spool } from '../imports/spool.ts'
import { NO_PROFILE } from '../rules/column-profile.ts'
import { compareRoster } from './compare.ts'
import { copyLines } from './line-rows.ts'
import type { ListRequest, ListResponse, ListTask } from './list-thread.ts'
import { maxBytesOf } from './receive.ts'
import { endSync, type LockedSync, lockSync, readSync, type RosterSyncProblem, startComparing } from './rows.ts'

const threads = openThreads({
  file: new URL('./list-thread.ts', import.meta.url),
  // As many as the workers have slots for files.
  max: 2,
  // The time of one part; the first one of a workbook takes all of it.
  maxMs: 60_000,
  maxWaiting: 16,
  heapMiB: 256,
})
const storageMs = 120_000

/** A step of a list: its file is read into lines, then they are compared. */
export const rosterFileStep: FileStep = async (context, { companyId, targetId }, signal, commit) => {
  const sync = await readSync(context.database, companyId, targetId)
  if (sync?.status === 'reading') await readRoster(context, { companyId, id: targetId, sync }, signal, commit)
  else await commit((tx) => compareRoster(context, tx, companyId, targetId))
}

/**
 * Reads the stored file of a roster sync in a thread, and stores its lines in one transaction. Safe to run twice: a step that did not commit has left
 * nothing.
 */
async function readRoster(
  context: Context,
  { companyId, id, sync }: { readonly companyId: string; readonly id: string; readonly sync: LockedSync },
  signal: AbortSignal,
  commit: Parameters<FileStep>[3],
): Promise<void> {
  const { database, config, storage } = context
  const folder = join(config.dataDir, 'imports')
  const format = required(sync.format, 'format')
  const { stream } = await storage.read(required(sync.storageKey, 'storage key'))
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(storageMs)])
  isOver.addEventListener('abort', () => stream.destroy(new Error('the list could not be read in time')))
  const spooled = await spool(folder, stream, maxBytesOf[format])
  const session = openThreadSession<ListRequest, ListResponse>(threads, signal)
  try {
    const profile = (await readProfile(database, sync.companyTaxId)) ?? NO_PROFILE
    const { companyTaxId, states, sheet } = sync
    const task = {
      file: spooled.file,
      size: spooled.size,
      from: spooled.from,
      encoding: spooled.encoding,
      format,
      sheet: sheet ?? undefined,
      profile,
      folder,
      companyTaxId,
      companyId,
      syncId: id,
      states,
    }
    await commit((tx) => storeLines(tx, task, (request) => session.request(request)))
  } finally {
    session.end()
    await spooled.close()
  }
}

type Ask = (request: ListRequest) => Promise<ListResponse>

async function storeLines(tx: Tx, task: ListTask, ask: Ask): Promise<Progress> {
  const { companyId, syncId: id } = task
  const sync = await lockSync(tx, companyId, id)
  if (sync === null) return 'done'
  if (sync.status !== 'reading') return sync.status === 'comparing' ? 'more' : 'done'
  const end = await copied(tx, task, ask)
  if (!('problems' in end)) {
    await startComparing(tx, companyId, id, end)
    return 'more'
  }
  await endSync(tx, companyId, id, 'failed', end.problems)
  tx.audit({ action: 'roster-sync.failed', target: id, companyId })
  if (sync.api === 'partner') tx.emit(companyId, rosterSyncEvent({ id, counts: null }))
  return 'done'
}

/** The lines of an earlier try of the transaction were rolled back: they are read from the first one on. */
async function copied(
  tx: Tx,
  task: ListTask,
  ask: Ask,
): Promise<NonNullable<Exclude<ListResponse, 'opened'>['end']> | { readonly problems: readonly RosterSyncProblem[] }> {
  try {
    await ask({ open: task })
    for (;;) {
      const part = await ask('next')
      if (part === 'opened') throw new Error('a list was opened twice')
      if (part.end !== null) return part.end
      await tx.copy(copyLines, part.rows)
    }
  } catch (error) {
    if (!(error instanceof ThreadTimeoutError)) throw error
    return { problems: [{ problem: 'not-readable', field: null, line: null }] }
  }
}
