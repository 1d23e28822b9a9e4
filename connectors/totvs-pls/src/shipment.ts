/* What the channel `connector` of a contract posts, and what goes back to the service. */

const movements = ['inclusion', 'exclusion', 'alteration', 'second-card', 'contract-transfer'] as const

export interface ShipmentItem {
  readonly 'enrollment-id': string
  readonly position: number
  readonly movement: (typeof movements)[number]
  /** By their source in layouts, such as `person.name`; dates as `YYYY-MM-DD`. Absent: it has none. */
  readonly values: Readonly<Record<string, string>>
}

export interface Shipment {
  readonly 'shipment-id': string
  readonly number: number
  readonly contract: Readonly<Record<string, unknown>>
  readonly 'file-sha256': string
  readonly items: readonly ShipmentItem[]
}

/** A line of the acknowledgement. */
export interface Outcome {
  readonly 'enrollment-id': string
  readonly outcome: 'accepted' | 'refused'
  readonly 'card-number'?: string
  readonly 'start-date'?: string
  readonly code?: string
  readonly message?: string
  readonly protocol?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A shipment of a signed body; null when it is none. */
export function readShipment(body: unknown): Shipment | null {
  const shipment = body as Shipment | null
  if (typeof shipment !== 'object' || shipment === null || !Array.isArray(shipment.items)) return null
  // It becomes the name of a file.
  if (!uuid.test(shipment['shipment-id']) || typeof shipment['file-sha256'] !== 'string') return null
  if (typeof shipment.contract !== 'object' || shipment.contract === null) return null
  return shipment.items.every(isItem) ? shipment : null
}

function isItem(item: ShipmentItem | null): boolean {
  if (typeof item !== 'object' || item === null || !uuid.test(item['enrollment-id'])) return false
  return movements.includes(item.movement) && typeof item.values === 'object' && item.values !== null
}
