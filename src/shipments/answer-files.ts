import { extname } from 'node:path'
import { readChannel } from '../channels/queries.ts'
import { sftpServer, targetRules } from '../channels/settings.ts'
import { type FoundFile, SftpError, takeFiles } from '../channels/sftp.ts'
import { logUnlessAway } from '../core/database-errors.ts'
import { ApiError } from '../core/errors.ts'
import { write } from '../core/write.ts'
import type { Context } from '../http/context.ts'
import { maxDecisionBytes } from '../movements/decide/sent-lines.ts'
import { acknowledgeFile } from './acknowledge-file.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'
import {
  type AwaitedShipment,
  claimFolders,
  insertAnswerFile,
  insertFailedAnswer,
  type PolledContract,
  readAnswerFile,
  readAwaitedShipments,
} from './answer-file-queries.ts'
import { lockShipment } from './write.ts'

/** Between two looks into a folder: longer than one can last. */
const pollMs = 120_000
const maxAtOnce = 4

const formats: Readonly<Record<string, AcknowledgementTask['format']>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.txt': 'text',
  '.xlsx': 'xlsx',
}

/** Reads the answers that carriers put on their servers. Any number of processes may run it at once. */
export async function readAnswerFiles(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.database.now()
  const due = await claimFolders(context.database, now, new Date(now.getTime() - pollMs), maxAtOnce)
  // Each by itself: it is read again later.
  await Promise.all(due.map((contract) => readFolder(context, contract, signal)))
}

async function readFolder(context: Context, contract: PolledContract, signal: AbortSignal): Promise<void> {
  const { contractId } = contract
  try {
    const channel = (await readChannel(context.database, contractId))?.channel ?? null
    const folder = channel?.settings.sftp?.['in-folder']
    if (channel === null || folder === undefined) return
    const server = sftpServer(context, contractId, channel)
    await takeFiles(server, targetRules(context), folder, async (file) =>
      signal.aborted ? null : takeAnswer(context, contract, file),
    )
  } catch (error) {
    if (error instanceof SftpError) {
      context.log.warn({ 'contract-id': contractId, error: error.code }, 'folder of answers not read')
    } else logUnlessAway(context.log, error, 'a folder of answers could not be read')
  }
}

/** Acknowledges the shipment of a file. @returns the subfolder that the file goes to; null: it stays. */
async function takeAnswer(context: Context, contract: PolledContract, file: FoundFile): Promise<string | null> {
  const known = await readAnswerFile(context.database, contract, file)
  if (known !== null) return known.error === null ? 'processed' : 'failed'
  const shipment = shipmentOf(file.name, await readAwaitedShipments(context.database, contract))
  if (shipment === null) return null
  try {
    const bytes = file.size > maxDecisionBytes ? null : await file.read(maxDecisionBytes)
    if (bytes === null || bytes.length > maxDecisionBytes) throw new ApiError('body-too-large')
    // It is being written.
    if (bytes.length !== file.size) return null
    const format = formats[extname(file.name).toLowerCase()]
    if (format === undefined) throw new ApiError('unsupported-media-type')
    const options = { dryRun: false, sheet: undefined }
    await acknowledgeFile(context, shipment.sender, shipment.id, { format, bytes }, options, async (tx) => {
      await insertAnswerFile(tx, contract, file, shipment.id, null, tx.at())
      tx.audit({ action: 'shipment.answer-read-by-sftp', target: shipment.id, companyId: contract.companyId })
    })
    return 'processed'
  } catch (error) {
    if (!(error instanceof ApiError) || retriedLater.has(error.code)) throw error
    await storeFailure(context, contract, file, shipment, `answer-${error.code}`)
    return 'failed'
  }
}

/** They say nothing of the file. */
const retriedLater = new Set(['unavailable', 'shipment-being-sent', 'shipment-status'])

async function storeFailure(
  context: Context,
  contract: PolledContract,
  file: FoundFile,
  { id, sender }: AwaitedShipment,
  error: string,
): Promise<void> {
  const { companyId } = contract
  await write(context, { kind: 'service' }, { may: 'service', lock: (tx) => lockShipment(tx, id) }, async (tx) => {
    await insertAnswerFile(tx, contract, file, id, error, tx.at())
    await insertFailedAnswer(tx, companyId, id, sender, error, tx.at())
    tx.audit({ action: 'shipment.answer-failed', target: id, companyId })
  })
}

/** The shipment whose file has the longest name that the file’s begins with; without one the only shipment that is awaited. */
function shipmentOf(name: string, awaited: readonly AwaitedShipment[]): AwaitedShipment | null {
  const stem = ({ fileName }: AwaitedShipment) => fileName.slice(0, fileName.length - extname(fileName).length)
  const begins = (one: AwaitedShipment) =>
    name.startsWith(stem(one)) && !/^[\dA-Za-z]/.test(name.slice(stem(one).length))
  const [named] = awaited.filter(begins).toSorted((one, other) => stem(other).length - stem(one).length)
  if (named !== undefined) return named
  return awaited.length === 1 ? (awaited[0] ?? null) : null
}
