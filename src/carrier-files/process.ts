import { storeCertificates } from '../benefits/write.ts'
import { ApiError } from '../core/errors.ts'
import { required } from '../core/log.ts'
import type { Tx } from '../core/write.ts'
import { lastDayOf } from '../domain/calendar.ts'
import type { Context } from '../http/context.ts'
import type { LayoutDefinition } from '../layouts/definition.ts'
import { findLayout } from '../layouts/queries.ts'
import type { Progress } from '../movements/batch/process.ts'
import { copyLines } from './line-rows.ts'
import { matchLines } from './match.ts'
import { endReading, type FileToRead, lockFile, readContractOfFile, updateCounts } from './queries.ts'
import { withCarrierFile } from './read-in-thread.ts'
import { taskOf } from './upload.ts'

/**
 * A step of a file in the worker's transaction: its lines are inserted, then they are matched. Safe to run twice: a step that did not commit has
 * left nothing.
 */
export async function processCarrierFile(context: Context, tx: Tx, companyId: string, id: string): Promise<Progress> {
  const file = await lockFile(tx, companyId, id)
  if (file?.status !== 'reading') return 'done'
  const layout = required(await findLayout(tx, file.layoutId, file.layoutVersion), 'layout')
  if (!file.hasLines) return readLines(context, tx, { companyId, id }, file, layout.definition)
  const { contractId, referenceMonth } = file
  await matchLines(
    tx,
    { companyId, contractId, fileId: id },
    lastDayOf(referenceMonth),
    nameLengthOf(layout.definition),
  )
  await storeCertificates(tx, companyId, id)
  await endReading(tx, companyId, id, null, tx.at())
  return 'done'
}

async function readLines(
  context: Context,
  tx: Tx,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  file: FileToRead,
  definition: LayoutDefinition,
): Promise<Progress> {
  const contract = required(await readContractOfFile(tx, file.contractId), 'contract')
  const bytes = await storedBytes(context, required(file.storageKey, 'storage key'))
  try {
    await withCarrierFile(taskOf(contract, file, { definition }), bytes, async (open) => {
      // The contract may have changed since the upload.
      if (open.file.other !== null) throw new ApiError(open.file.other.code)
      for await (const rows of open.rows(companyId, id)) await tx.copy(copyLines, rows)
      await updateCounts(tx, companyId, id, open.file)
    })
  } catch (error) {
    const problems = problemsOf(error)
    if (problems === null) throw error
    await endReading(tx, companyId, id, problems, tx.at())
    return 'done'
  }
  return 'more'
}

async function storedBytes({ storage }: Context, key: string): Promise<Buffer> {
  const { stream } = await storage.read(key)
  return Buffer.concat(await stream.toArray())
}

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
