import type { Shipment, ShipmentItem } from './shipment.ts'

/** What is one call of the carrier's interface. */
export interface Task {
  /** The enrollment of its first item. */
  readonly id: string
  readonly kind: 'family' | 'dependents' | Exclude<ShipmentItem['movement'], 'inclusion'>
  readonly items: readonly ShipmentItem[]
}

/** The tasks of a shipment, in its order: included families and dependents together, all others by themselves. */
export function tasksOf({ items }: Shipment): Task[] {
  const families = new Map<string, ShipmentItem[]>()
  const groups: ShipmentItem[][] = []
  for (const item of items) {
    const family = item.movement === 'inclusion' ? `${productOf(item)}/${primaryOf(item)}` : null
    const group = (family === null ? undefined : families.get(family)) ?? []
    if (group.length === 0) groups.push(group)
    group.push(item)
    if (family !== null) families.set(family, group)
  }
  return groups.flatMap((group) => {
    // The primary first, which the carrier expects.
    const sorted = group.toSorted((one, other) => Number(isDependent(one)) - Number(isDependent(other)))
    const [first] = sorted
    if (first === undefined) return []
    return [{ id: first['enrollment-id'], kind: kindOf(first), items: sorted }]
  })
}

function kindOf(first: ShipmentItem): Task['kind'] {
  if (first.movement !== 'inclusion') return first.movement
  return isDependent(first) ? 'dependents' : 'family'
}

function isDependent({ values }: ShipmentItem): boolean {
  return values['movement.beneficiary-type'] === 'dependent'
}

/** The CPF of the primary of a person's family, digits alone. */
export function primaryOf(item: ShipmentItem): string {
  return (item.values[isDependent(item) ? 'primary.tax-id' : 'person.tax-id'] ?? '').replaceAll(/\D/g, '')
}

function productOf({ values }: ShipmentItem): string {
  return values['plan.carrier-plan-code'] ?? ''
}

/** The CPF of a person, digits alone. */
export function taxIdOf({ values }: ShipmentItem): string {
  return (values['person.tax-id'] ?? '').replaceAll(/\D/g, '')
}
