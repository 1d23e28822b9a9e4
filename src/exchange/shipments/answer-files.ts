import { extname } from 'node:path'
import { readChannel } from '../channels/queries.ts'
import { sftpServer, targetRules } from '../channels/settings.ts'
import { type FoundFile, takeFiles } from '../channels/sftp.ts'
import { logUnlessAway } from '#platform/core/database-errors.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { WorkSlots } from '#platform/core/work-slots.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { mayAct } from '../rules/shipment.ts'
import type { Context } from '#platform/http/context.ts'
import { maxDecisionBytes } from '#movements/decide/sent-lines.ts'
import { acknowledgeFile } from './acknowledge-file.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'
import {
  type AnswerableShipment,
  type AnswerFolder,
  claimFolders,
  insertAnswerFile,
  insertFailedAnswer,
  type PolledContract,
  readAnswerableShipments,
  readAnswerFile,
} from './answer-file-queries.ts'
import { counted, forgetGone } from '#platform/steps/attempts.ts'
import { lockShipment } from './write.ts'

/** Between two looks into a folder: longer than one can last. */
const pollMs = 120_000
/** A file that was changed since then may be incomplete. */
const quietMs = 60_000

const formats: Readonly<Record<string, AcknowledgementTask['format']>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.txt': 'text',
  '.xlsx': 'xlsx',
}

/** Reads the answers that carriers put on their servers, each folder by itself. Any number of processes may run it at once. */
export async function readAnswerFiles(context: Context, signal: AbortSignal, slots: WorkSlots): Promise<void> {
  // Files that were taken away, and folders that are not read any more.
  await forgetGone(context.database, ['answer-folder', 'answer-file'])
  if (slots.free === 0) return
  const now = context.database.now()
  const due = await claimFolders(context.database, now, new Date(now.getTime() - pollMs), slots.free)
  for (const contract of due) {
    const { contractId, companyId } = contract
    const logged = (error: unknown) => logUnlessAway(context.log, error, 'a folder of answers could not be read')
    const key = { kind: 'answer-folder', targetId: contractId, companyId } as const
    slots.start(contractId, async () => {
      await counted(context)
        .run(key, () => readFolder(context, contract, signal))
        .catch(logged)
    })
  }
}

async function readFolder(context: Context, contract: PolledContract, signal: AbortSignal): Promise<void> {
  const { contractId, companyId } = contract
  const channel = (await readChannel(context.database, contractId))?.channel ?? null
  const { 'in-folder': folder, ...server } = channel?.settings.sftp ?? {}
  if (channel === null || folder === undefined) return
  const shared = { ...server, 'in-folder': folder } as AnswerFolder
  const attempts = counted(context)
  await takeFiles(sftpServer(context, contractId, channel), targetRules(context), folder, async (file) => {
    if (signal.aborted) return null
    const part = `${file.name} ${file.size} ${file.modified}`
    const key = { kind: 'answer-file', targetId: contractId, companyId, part } as const
    return attempts.run(key, () => takeAnswer(context, contract, shared, file))
  })
}

/** Acknowledges the shipment of a file. @returns the subfolder that the file goes to; null: it stays. */
async function takeAnswer(
  context: Context,
  contract: PolledContract,
  folder: AnswerFolder,
  file: FoundFile,
): Promise<string | null> {
  const readBefore = () => readAnswerFile(context.database, contract, file)
  const known = await readBefore()
  if (known !== null) return known.error === null ? 'processed' : 'failed'
  const age = context.database.now().getTime() - file.modified
  if (age >= 0 && age < quietMs) return null
  const shipments = await readAnswerableShipments(context.database, folder, file.name)
  const shipment = shipmentOf(file.name, contract, shipments)
  try {
    if (shipment === null) return null
    if (shipment !== 'unknown') return await acknowledge(context, contract, file, shipment)
    const latest = shipments.findLast(({ contractId, sender }) => contractId === contract.contractId && sender !== null)
    if (latest === undefined) return null
    return await storeFailure(context, contract, file, latest, 'answer-shipment-unknown')
  } catch (error) {
    // Another process has read it meanwhile, and moves it.
    if ((await readBefore()) !== null) return null
    throw error
  }
}

async function acknowledge(
  context: Context,
  contract: PolledContract,
  file: FoundFile,
  shipment: AnswerableShipment,
): Promise<string | null> {
  try {
    if (file.size > maxDecisionBytes) throw new ApiError('body-too-large')
    const bytes = await file.read(file.size)
    // It is being written.
    if (bytes.length !== file.size) return null
    const format = formats[extname(file.name).toLowerCase()]
    if (format === undefined) throw new ApiError('unsupported-media-type')
    const options = { dryRun: false, confirm: false, sheet: undefined }
    const sender = required(shipment.sender, 'sender')
    await acknowledgeFile(context, sender, shipment.id, { format, bytes }, options, async (tx) => {
      await insertAnswerFile(tx, contract, file, shipment.id, null, tx.at())
      tx.audit({ action: 'shipment.answer-read-by-sftp', target: shipment.id, companyId: contract.companyId })
    })
    return 'processed'
  } catch (error) {
    if (!(error instanceof ApiError) || retriedLater.has(error.code)) throw error
    return storeFailure(context, contract, file, shipment, `answer-${error.code}`)
  }
}

/** They say nothing of the file. */
const retriedLater = new Set(['unavailable', 'shipment-being-sent', 'shipment-status'])

async function storeFailure(
  context: Context,
  contract: PolledContract,
  file: FoundFile,
  { id, sender }: AnswerableShipment,
  error: string,
): Promise<'failed'> {
  const { companyId } = contract
  await write(context, { kind: 'service' }, { may: 'service', lock: (tx) => lockShipment(tx, id) }, async (tx) => {
    await insertAnswerFile(tx, contract, file, id, error, tx.at())
    await insertFailedAnswer(tx, companyId, id, required(sender, 'sender'), error, tx.at())
    tx.audit({ action: 'shipment.answer-failed', target: id, companyId })
  })
  return 'failed'
}

/**
 * The shipment whose file has the longest name that the file’s begins with; without one the only shipment that is awaited.
 * @returns null: the file is not for this contract, or not for a shipment that was sent; `unknown`: it may be for several.
 */
function shipmentOf(
  name: string,
  { contractId }: PolledContract,
  shipments: readonly AnswerableShipment[],
): AnswerableShipment | 'unknown' | null {
  const stem = ({ fileName }: AnswerableShipment) =>
    fileName.slice(0, -extname(fileName).length || undefined).toLowerCase()
  const file = name.toLowerCase()
  const begins = (shipment: AnswerableShipment) =>
    file.startsWith(stem(shipment)) && !/^[\da-z]/.test(file.slice(stem(shipment).length))
  const [named] = shipments.filter(begins).toSorted((a, b) => stem(b).length - stem(a).length)
  const awaited = shipments.filter(({ status }) => status === 'sent' || status === 'partly-acknowledged')
  const found = named ?? awaited[0]
  if (named === undefined && awaited.length > 1) return 'unknown'
  return found?.contractId === contractId && mayAct('acknowledge', found.status) ? found : null
}
