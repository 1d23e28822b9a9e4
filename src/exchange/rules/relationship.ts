/* Carriers know fewer relationships than people have. */
import { DEPENDENT_TYPES, type DependentType } from '#kernel/enums.ts'

/** What carriers do not tell apart from a type. */
const sameAtCarriers: Partial<Readonly<Record<DependentType, DependentType>>> = {
  partner: 'spouse',
  'adopted-child': 'child',
  stepchild: 'child',
}

/** What every carrier has a code of its own for; the rest may be `other` there. */
const alwaysNamed: ReadonlySet<DependentType> = new Set([
  'spouse',
  'partner',
  'child',
  'adopted-child',
  'parent',
  'parent-in-law',
])

/** Whether the relationship at the carrier may be the one here. */
function isSameRelationship(atCarrier: DependentType, here: DependentType): boolean {
  const common = (type: DependentType) => sameAtCarriers[type] ?? type
  return common(atCarrier) === common(here) || (atCarrier === 'other' && !alwaysNamed.has(here))
}

/** `CARRIER:HERE` of all that are the same, for statements. */
export const SAME_RELATIONSHIPS: readonly string[] = DEPENDENT_TYPES.flatMap((atCarrier) =>
  DEPENDENT_TYPES.filter((here) => isSameRelationship(atCarrier, here)).map((here) => `${atCarrier}:${here}`),
)
