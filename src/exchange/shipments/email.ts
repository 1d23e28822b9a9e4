import { writeEmail } from '../channels/email.ts'
import { readChannel } from '../channels/queries.ts'
import { ApiError } from '#platform/core/errors.ts'
import { fillTemplate } from '../rules/channel.ts'
import type { Context } from '#platform/http/context.ts'
import { readShipmentFile, requireShipment } from './queries.ts'
import type { ShipmentData } from './schema.ts'

/** The e-mail of a shipment's file, in the template of its contract. @throws ApiError 404, 409. */
export async function shipmentEmail(
  { database }: Context,
  id: string,
): Promise<{ name: string; content: Buffer; companyId: string }> {
  const stored = await requireShipment(database, id)
  const file = await readShipmentFile(database, id)
  if (file === null) throw new ApiError('shipment-file-not-found')
  const email = (await readChannel(database, stored.contractId))?.channel?.settings.email ?? null
  if (email === null) throw new ApiError('channel-not-set')
  const shipment = stored.shipment as ShipmentData
  const values = {
    'company-name': shipment['company-name'],
    'company-tax-id': shipment['company-tax-id'],
    'carrier-name': shipment['carrier-name'],
    'contract-number': shipment['contract-number'],
    'sub-contract': shipment['sub-contract'],
    'shipment-number': String(shipment.number),
    'cut-off-date': dayOf(shipment['cut-off-date']),
    'coverage-start': dayOf(shipment['coverage-start']),
    items: String(Object.values(shipment.counts ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0)),
    'file-name': file.name,
  }
  const content = writeEmail({
    ...email,
    subject: fillTemplate(email.subject, values),
    text: fillTemplate(email.text, values),
    attachment: file,
    id: file.sha256.toString('hex').slice(0, 32),
  })
  return { name: `${file.name.replace(/\.\w+$/, '')}.eml`, content, companyId: stored.companyId }
}

/** As Brazilians write a day. */
function dayOf(date: string | null): string {
  return date === null ? '' : date.split('-').toReversed().join('/')
}
