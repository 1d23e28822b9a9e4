import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import type { Tx } from '#platform/core/write.ts'
import { mayAct } from '../rules/shipment.ts'
import type { Context } from '#platform/http/context.ts'
import { type AcknowledgementOptions, createAcknowledgement } from './acknowledge.ts'
import { readAcknowledgement } from './acknowledgement-file.ts'
import { readMatchedItems, readAnswerSettings } from './acknowledgement-queries.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'
import { refusedStatus } from './close.ts'
import { matchLines } from './match-lines.ts'
import { requireShipment } from './queries.ts'
import { hasReadyItems } from './write.ts'

/**
 * Makes the job of a carrier's file. @param also in the transaction of the job. @returns the id of the job.
 * @throws ApiError 404, 409, 400, 413, 415, or 503 when too many files wait.
 */
export async function acknowledgeFile(
  context: Context,
  actor: ClientActor,
  id: string,
  file: Pick<AcknowledgementTask, 'format' | 'bytes'> | undefined,
  { sheet, ...options }: AcknowledgementOptions & { readonly sheet: string | undefined },
  also?: (tx: Tx) => Promise<void>,
): Promise<string> {
  const { database } = context
  const found = await requireShipment(database, id)
  const shipment = { companyId: found.companyId, id }
  if (!mayAct('acknowledge', found.status)) throw refusedStatus(found, 'acknowledge')
  if (await hasReadyItems(database, shipment)) throw new ApiError('shipment-being-sent')
  if (file === undefined || file.bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
  const settings = await readAnswerSettings(database, found.companyId, found.contractId, file.format)
  const { lines, ...notRead } = await readAcknowledgement(context, { ...file, ...settings, sheet })
  const matched = matchLines(lines, await readMatchedItems(database, shipment))
  return createAcknowledgement(context, actor, shipment, { lines: matched, ...notRead }, options, also)
}
