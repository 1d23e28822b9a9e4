import { storeCertificates } from '#coverage/benefits/write.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import type { Tx } from '#platform/core/write.ts'
import { lastDayOf } from '#kernel/calendar.ts'
import type { Context } from '#platform/http/context.ts'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { findLayout } from '#registry/layouts/queries.ts'
import type { FileStep, Progress } from '#platform/http/district.ts'
import { copyLines } from './line-rows.ts'
import { matchLines } from './match.ts'
import { endReading, type FileToRead, lockFile, readContractOfFile, readFileToRead, updateCounts } from './queries.ts'
import { type OpenCarrierFile, withCarrierFile } from './file-in-thread.ts'
import { taskOf } from './upload.ts'

/** A stored file as a thread has read it, or why it cannot be used. */
type ReadFile = OpenCarrierFile | { readonly problems: readonly object[] }

/**
 * Reads a file in a thread, without a transaction, which the thread keeps until `work` ends.
 * @param work gets null where there is nothing to read: its lines are stored, or it is gone.
 */
export async function withReadFile<T>(
  context: Context,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  signal: AbortSignal,
  work: (read: ReadFile | null) => Promise<T>,
): Promise<T> {
  const { database } = context
  const file = await readFileToRead(database, companyId, id)
  if (file?.status !== 'reading' || file.hasLines) return work(null)
  const layout = required(await findLayout(database, file.layoutId, file.layoutVersion), 'layout')
  const contract = required(await readContractOfFile(database, file.contractId), 'contract')
  const bytes = await storedBytes(context, required(file.storageKey, 'storage key'), signal)
  let isRead = false
  try {
    return await withCarrierFile(taskOf(contract, file, layout), bytes, signal, (open) => {
      isRead = true
      // The contract may have changed since the upload.
      return work(open.file.other === null ? open : { problems: [{ field: 'file', code: open.file.other.code }] })
    })
  } catch (error) {
    const problems = isRead ? null : problemsOf(error)
    if (problems === null) throw error
    return work({ problems })
  }
}

/** A step of a file: it is read without a transaction. */
export const carrierFileStep: FileStep = (context, { companyId, targetId }, signal, commit) =>
  withReadFile(context, { companyId, id: targetId }, signal, (read) =>
    commit((tx) => processCarrierFile(tx, companyId, targetId, read)),
  )

/**
 * A step of a file in the worker's transaction: its lines are inserted, then they are matched. Safe to run twice: a step that did not commit has
 * left nothing.
 * @param read null: its lines are stored.
 */
export async function processCarrierFile(
  tx: Tx,
  companyId: string,
  id: string,
  read: ReadFile | null,
): Promise<Progress> {
  const file = await lockFile(tx, companyId, id)
  if (file?.status !== 'reading') return 'done'
  if (file.hasLines) {
    const layout = required(await findLayout(tx, file.layoutId, file.layoutVersion), 'layout')
    await matchFile(tx, { companyId, id }, file, layout.definition)
    return 'done'
  }
  if (read === null) return 'more'
  if ('problems' in read) {
    await endReading(tx, companyId, id, read.problems, tx.at())
    return 'done'
  }
  for await (const rows of read.rows(companyId, id)) await tx.copy(copyLines, rows)
  await updateCounts(tx, companyId, id, read.file)
  return 'more'
}

async function matchFile(
  tx: Tx,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  { contractId, referenceMonth }: FileToRead,
  definition: LayoutDefinition,
): Promise<void> {
  await matchLines(tx, { companyId, contractId, fileId: id }, lastDayOf(referenceMonth), nameLengthOf(definition))
  await storeCertificates(tx, companyId, id)
  await endReading(tx, companyId, id, null, tx.at())
}

async function storedBytes({ storage }: Context, key: string, signal: AbortSignal): Promise<Buffer> {
  const { stream } = await storage.read(key)
  return Buffer.concat(await stream.toArray({ signal: AbortSignal.any([signal, AbortSignal.timeout(storageMs)]) }))
}

const storageMs = 60_000

/** Why a file cannot be used; null: the error is not the file's. */
function problemsOf(error: unknown): readonly object[] | null {
  if (!(error instanceof ApiError) || error.statusCode === 503) return null
  const details = (error.extra['details'] ?? []) as readonly { readonly field: string; readonly code: string }[]
  return details.length === 0
    ? [{ field: 'file', code: error.code }]
    : details.map(({ field, code }) => ({ field, code }))
}

/** The characters to which a file of fixed width cuts names; null: it does not. */
export function nameLengthOf({ format, records }: LayoutDefinition): number | null {
  if (format !== 'fixed-width') return null
  const lengths = records.flatMap(({ columns }) =>
    columns.flatMap(({ target, length }) => (target === 'person.name' && length !== undefined ? [length] : [])),
  )
  return lengths.length === 0 ? null : Math.min(...lengths)
}
