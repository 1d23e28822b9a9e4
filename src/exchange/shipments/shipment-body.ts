import type { Context } from '#platform/http/context.ts'
import { cutOffOn, withOpenShipment } from './open.ts'
import { countJoining, requireShipment, type StoredShipment } from './queries.ts'
import type { ShipmentData } from './schema.ts'

/** The table of shipments on the command line. */
export const shipmentColumns = {
  'SHIPMENT-ID': 'shipment-id',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  'SUB-CONTRACT': 'sub-contract',
  NUMBER: 'number',
  STATUS: 'status',
  'CUT-OFF': 'cut-off-date',
  'SENT-AT': 'sent-at',
  PROTOCOL: 'carrier-protocol',
}

type Counts = ShipmentData['counts']

const noCounts: Counts = {
  ready: 0,
  'not-ready': 0,
  waiting: 0,
  sent: 0,
  accepted: 0,
  refused: 0,
  unanswered: 0,
  cancelled: 0,
}

const noItems = { status: null, limit: 0, offset: 0 }

/** A shipment; of an open one the file is made to see what is ready. @throws ApiError 404 */
export async function readShipment(context: Context, id: string): Promise<ShipmentData> {
  const stored = await requireShipment(context.database, id)
  if (stored.status !== 'open') return dataOf(stored, {}, context)
  const cutOff = cutOffOn(context.today(), stored)
  const { ready, notReady } = await withOpenShipment(context.database, stored, cutOff, (open) => open.page(noItems))
  return dataOf(stored, { ready, 'not-ready': notReady, waiting: ready + notReady }, context)
}

/** Shipments of a list: nothing is made to see what of an open one is ready. */
export async function listed(context: Context, shipments: readonly StoredShipment[]): Promise<ShipmentData[]> {
  const open = Map.groupBy(
    shipments.filter(({ status }) => status === 'open'),
    ({ companyId }) => companyId,
  )
  const waiting = new Map<string, number>()
  for (const [companyId, ofCompany] of open) {
    const contracts = ofCompany.map((contract) => ({
      contractId: contract.contractId,
      cutOffDate: cutOffOn(context.today(), contract).cutOffDate,
    }))
    for (const [contractId, count] of await countJoining(context.database, companyId, contracts))
      waiting.set(contractId, count)
  }
  return shipments.map((stored) => {
    if (stored.status !== 'open') return dataOf(stored, {}, context)
    const counts = { ready: null, 'not-ready': null, waiting: waiting.get(stored.contractId) ?? 0 }
    return dataOf(stored, counts, context)
  })
}

function dataOf(stored: StoredShipment, counts: Partial<Counts>, context: Context): ShipmentData {
  const data = stored.shipment as ShipmentData
  const ofItems = { ...noCounts, ...(data.counts as Partial<Counts> | null), ...counts }
  if (stored.status !== 'open') return { ...data, counts: ofItems }
  const { cutOffDate, coverageStart } = cutOffOn(context.today(), stored)
  return { ...data, 'cut-off-date': cutOffDate, 'coverage-start': coverageStart, counts: ofItems }
}
