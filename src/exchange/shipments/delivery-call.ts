import { extname } from 'node:path'
import { readContract } from '#registry/contracts/queries.ts'
import { required } from '#platform/core/log.ts'
import type { DueDelivery } from '../channels/delivery-queries.ts'
import { readChannel, type StoredChannel } from '../channels/queries.ts'
import { sftpServer, targetRules } from '../channels/settings.ts'
import { putFile } from '../channels/sftp.ts'
import { SftpError } from '#platform/core/sftp-error.ts'
import type { Context } from '#platform/http/context.ts'
import { readContractValues, readMovementRecords } from './movement-records.ts'
import type { MovementRecord } from '#registry/layouts/types.ts'
import { byCompany } from '#platform/core/by-company.ts'
import { openSender } from '#events/webhooks/sender.ts'
import { signatureHeaders } from '#events/webhooks/signing.ts'
import { readItemKeys, readShipmentFile, requireShipment, type ShipmentFile, type StoredShipment } from './queries.ts'

/** What became of an attempt. */
export interface Delivered {
  readonly isDone: boolean
  readonly responseStatus: number | null
  readonly error: string | null
  readonly carrierProtocol: string | null
}

const connectorTimeoutMs = 60_000
const protocolPattern = /^[!-~]([ -~]{0,58}[!-~])?$/
/** The digits of the checksum in the name of a file: the same shipment, closed again with other movements, is another file. */
const checksumDigits = 12

const failed = (error: string): Delivered => ({ isDone: false, responseStatus: null, error, carrierProtocol: null })

/** Makes an attempt. An attempt that was made before and not stored changes nothing. Never throws for what the carrier does. */
export async function takeToCarrier(context: Context, due: DueDelivery, signal: AbortSignal): Promise<Delivered> {
  const { shipmentId, channel } = due
  const stored = await requireShipment(context.database, shipmentId)
  const file = await readShipmentFile(context.database, shipmentId)
  if (stored.status !== 'closed' || file === null) return failed('not-closed')
  const settings = (await readChannel(context.database, stored.contractId))?.channel ?? null
  switch (channel) {
    case 'sftp':
      return settings?.settings.sftp ? putOnServer(context, stored, settings, file) : failed('channel-not-set')
    case 'connector':
      return settings?.settings.connector
        ? postToConnector(context, shipmentId, stored, settings, file, signal)
        : failed('channel-not-set')
    default:
      throw new TypeError(channel satisfies never)
  }
}

async function putOnServer(
  context: Context,
  { contractId }: StoredShipment,
  channel: StoredChannel,
  file: ShipmentFile,
): Promise<Delivered> {
  const settings = required(channel.settings.sftp, 'sftp')
  const server = sftpServer(context, contractId, channel)
  const extension = extname(file.name)
  const checksum = file.sha256.toString('hex').slice(0, checksumDigits)
  const name = `${file.name.slice(0, file.name.length - extension.length)}-${checksum}${extension}`
  try {
    await putFile(server, targetRules(context), settings['out-folder'], { name, content: file.content })
    return { isDone: true, responseStatus: null, error: null, carrierProtocol: null }
  } catch (error) {
    if (error instanceof SftpError) return failed(error.code)
    context.log.error({ err: error }, 'file could not be put')
    return failed('not-sent')
  }
}

async function postToConnector(
  context: Context,
  shipmentId: string,
  stored: StoredShipment,
  channel: StoredChannel,
  file: ShipmentFile,
  signal: AbortSignal,
): Promise<Delivered> {
  const url = required(channel.settings.connector, 'connector').url
  const sha256 = file.sha256.toString('hex')
  const body = JSON.stringify(await connectorBody(context, shipmentId, stored, sha256))
  const secrets = [required(channel.connectorSecret, 'secret of the connector')]
  const message = { id: shipmentId, body }
  const headers = {
    ...signatureHeaders(context.cipher, stored.contractId, secrets, message, context.database.now()),
    'idempotency-key': `${shipmentId}:${sha256}`,
  }
  const sender = openSender({ ...targetRules(context), timeoutMs: connectorTimeoutMs, readsResponse: true })
  try {
    const { status, error, text = '' } = await sender.send(url, headers, body, signal)
    const isDone = status !== null && status >= 200 && status < 300
    return { isDone, responseStatus: status, error, carrierProtocol: isDone ? protocolOf(text) : null }
  } finally {
    sender.close()
  }
}

/** What a connector gets: all that layouts know of each movement, so that it needs no other call. */
async function connectorBody(
  { database }: Context,
  shipmentId: string,
  { companyId, contractId, number }: StoredShipment,
  sha256: string,
): Promise<object> {
  const { calendar: _, contacts: __, ...contract } = required(await readContract(database, contractId), 'contract')
  const header = required(await readContractValues(database, companyId, contractId), 'contract')
  const keys = await readItemKeys(database, companyId, shipmentId)
  const dependents = new Map(keys.map(({ id, dependentBenefitIds }) => [id, dependentBenefitIds]))
  const records = new Map<string, MovementRecord>()
  for (const [ofCompany, own] of byCompany(keys)) {
    const ids = own.map(({ id }) => id)
    const read = await readMovementRecords(database, ofCompany, ids, { companyId, contractId, dependents })
    for (const record of read) records.set(record.enrollmentId, record)
  }
  return {
    'shipment-id': shipmentId,
    number,
    contract,
    'file-sha256': sha256,
    items: keys.map(({ id }, index) => {
      const { values, dependents: moving = [] } = required(records.get(id), 'movement')
      const shared = { ...header, 'shipment.number': String(number), 'movement.position': String(index + 1) }
      return {
        'enrollment-id': id,
        position: index + 1,
        movement: values['movement.kind'],
        values: { ...shared, ...values },
        dependents: moving.map((dependent) => ({ values: { ...shared, ...dependent.values } })),
      }
    }),
  }
}

function protocolOf(text: string): string | null {
  try {
    const { 'carrier-protocol': protocol } = JSON.parse(text) as { 'carrier-protocol'?: unknown }
    return typeof protocol === 'string' && protocolPattern.test(protocol) ? protocol : null
  } catch {
    return null
  }
}
