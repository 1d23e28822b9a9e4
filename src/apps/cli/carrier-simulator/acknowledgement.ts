import { randomOf } from './random.ts'

/** What the answer depends on of an item of a shipment. */
interface SimulatedItem {
  readonly 'enrollment-id': string
  readonly 'enrollment-type': string
}

interface AcknowledgementOptions {
  readonly seed: number
  /** Which share of the items is refused, from 0 to 1. */
  readonly refuse?: number
  /** How many instead. */
  readonly refuseCount?: number
}

/** A line of an acknowledgement, as NDJSON has it. */
interface SimulatedLine {
  readonly 'enrollment-id': string
  readonly outcome: 'accepted' | 'refused'
  readonly 'card-number'?: string
  readonly protocol?: string
  readonly code?: string
  readonly message?: string
}

/** Made up: each carrier has its own. */
export const refusals = [
  { code: '17', message: 'Falta documento de identificação' },
  { code: '23', message: 'Data de nascimento diverge da Receita' },
  { code: '31', message: 'Beneficiário já ativo em outro contrato' },
  { code: '44', message: 'Falta comprovante de vínculo' },
] as const

/** The answer of a carrier to the items of a shipment: the same for the same items, whatever their order, and the same seed. */
export function simulateAcknowledgement(
  items: readonly SimulatedItem[],
  { seed, refuse = 0, refuseCount }: AcknowledgementOptions,
): SimulatedLine[] {
  const random = randomOf(seed)
  const byId = items.toSorted((a, b) => (a['enrollment-id'] < b['enrollment-id'] ? -1 : 1))
  const refused = new Set(random.some(byId, refuseCount ?? Math.round(byId.length * refuse)))
  const answers = new Map(
    byId.map((item): [SimulatedItem, SimulatedLine] => {
      const id = item['enrollment-id']
      if (refused.has(item)) return [item, { 'enrollment-id': id, outcome: 'refused', ...random.pick(refusals) }]
      const protocol = `SIM-${random.between(100_000, 999_999)}`
      const card = `9${String(random.between(0, 99_999_999)).padStart(8, '0')}${id.slice(-6).toUpperCase()}`
      const startsBenefit = item['enrollment-type'] === 'inclusion'
      return [
        item,
        { 'enrollment-id': id, outcome: 'accepted', protocol, ...(startsBenefit && { 'card-number': card }) },
      ]
    }),
  )
  return items.flatMap((item) => answers.get(item) ?? [])
}
