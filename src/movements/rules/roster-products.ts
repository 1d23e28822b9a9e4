/* What follows from the products that a list states of a person. */
import type { RosterItem, RosterMember, RosterProduct, RosterTerms } from './roster.ts'
import {
  type ComparedPerson,
  endItem,
  type FamilyTerms,
  heldItem,
  holdOfEnd,
  holdOfStart,
  inclusionItem,
  itemOf,
  productDifference,
  referenceOf,
} from './roster-items.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { sorted, type Statement, type StatedProduct, type StatedProducts, statedProducts } from './roster-lines.ts'

/** What becomes of a primary, with whom the dependents go. */
export interface PrimaryOutcome {
  readonly isListed: boolean
  /** Products whose end is proposed. */
  readonly leavingIds: ReadonlySet<string>
  /** Types of products of which one replaces another. */
  readonly movingTypes: ReadonlySet<string>
}

/** What differs in the products of a listed person, and of a primary the types of products of which one replaces another. */
export function compareProducts(
  person: ComparedPerson,
  statement: Statement,
  family: FamilyTerms,
  primary: PrimaryOutcome | null,
): { readonly items: RosterItem[]; readonly movingTypes: ReadonlySet<string> } {
  const { member } = person
  const sent = statedProducts(statement.rows, family.products)
  const { wanted, unknown } = withDefaults(sent, member, family)
  const had = productsHad(member, family)
  const leaving = new Set((sent.leavesAll ? had : [...sent.left.values()].map(({ product }) => product)).map(idOf))
  const differing: Differing = {
    left: had.filter(({ id }) => leaving.has(id)),
    lost: had.filter(({ id }) => !leaving.has(id) && !wanted.has(id) && losesOthers(sent, family)),
    gained: [...wanted.values()]
      .filter(({ product: { id } }) => !had.some((one) => one.id === id) && !member?.otherProductIds.includes(id))
      .sort((a, b) => (a.product.name < b.product.name ? -1 : 1)),
  }
  const unknownKeys = [...unknown].sort(([a], [b]) => (a < b ? -1 : 1))
  const items = unknownKeys.map(([, { name, lines }]) =>
    heldItem(
      person,
      { explanation: 'unknown-product' },
      { productName: name, lines: sorted(lines), differences: [productDifference(null, name)] },
    ),
  )
  if (lacksProduct(sent, member) && wanted.size === 0 && unknown.size === 0) {
    items.push(heldItem(person, { explanation: 'product-not-stated' }))
  }
  const rest = followingItems(person, differing, primary, items)
  const changes = member === null ? [] : changesOf(person, member, rest, wanted, family)
  const left = rest.left
  const lost = rest.lost.filter((one) => !changes.some(({ here }) => here === one))
  const gained = rest.gained.filter((one) => !changes.some(({ stated }) => stated === one))
  if (member !== null) {
    for (const change of changes) items.push(changeItem(person, member, change, family.terms))
    for (const product of left) items.push(...leaverItems(person, member, product, statement, sent, family))
    for (const product of lost) {
      // It ends with the primary's.
      if (person.role === 'dependent' && primary?.leavingIds.has(product.id)) continue
      items.push(endItem(person, member, product, family.terms, { class: 'exclusion' }))
    }
  }
  items.push(...gainedItems(person, gained, family))
  return { items, movingTypes: new Set(changes.map(({ here }) => here.type)) }
}

/** How the products of a person differ, each list by name. */
interface Differing {
  /** With a last day. */
  readonly left: readonly RosterProduct[]
  /** Given up: the list is complete in products, and does not have them. */
  readonly lost: readonly RosterProduct[]
  readonly gained: readonly StatedProduct[]
}

const idOf = ({ id }: { readonly id: string }): string => id

/** Without a product in any line about somebody who stays: the list says only who is employed. */
function lacksProduct({ wanted, unknown, openLines }: StatedProducts, member: RosterMember | null): boolean {
  const isUncovered = member === null || (member.benefits.length === 0 && member.otherProductIds.length === 0)
  return openLines.length > 0 && wanted.size === 0 && unknown.size === 0 && isUncovered
}

/** What is stated, or what the list has for those of whom no product is stated. */
function withDefaults(
  sent: StatedProducts,
  member: RosterMember | null,
  { terms, products }: FamilyTerms,
): Pick<StatedProducts, 'wanted' | 'unknown'> {
  if (!lacksProduct(sent, member)) return sent
  const wanted = new Map<string, StatedProduct>()
  const unknown = new Map<string, { name: string; lines: readonly number[] }>()
  for (const name of terms.defaults.productNames) {
    const product = products.named(name)
    if (product === null) unknown.set(productNameKey(name), { name, lines: sent.openLines })
    else wanted.set(product.id, { product, startOption: sent.openOption, lines: sent.openLines })
  }
  return { wanted, unknown }
}

/** The products of the scope that a person has in this role, by name. */
export function productsHad(member: RosterMember | null, { products }: FamilyTerms): RosterProduct[] {
  const ids = new Set(member?.benefits.map(({ productId }) => productId))
  return [...ids].flatMap((id) => products.of(id) ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether whoever is listed loses what is not stated. A line that names no product, or an unknown one, may be about any. */
function losesOthers({ wanted, unknown, openLines }: StatedProducts, { terms }: FamilyTerms): boolean {
  return terms.states.includes('products') && wanted.size > 0 && unknown.size === 0 && openLines.length === 0
}

/** Holds what differs in products of a dependent while the primary's change. @returns the others. */
function followingItems(
  person: ComparedPerson,
  differing: Differing,
  primary: PrimaryOutcome | null,
  items: RosterItem[],
): Differing {
  const { left, lost, gained } = differing
  const types = person.role === 'dependent' && primary !== null ? primary.movingTypes : new Set<string>()
  if (types.size === 0) return differing
  for (const type of [...types].sort()) {
    const differences = [
      ...[...left, ...lost].filter((one) => one.type === type).map(({ name }) => productDifference(name, null)),
      ...gained.filter((one) => one.product.type === type).map(({ product }) => productDifference(null, product.name)),
    ]
    if (differences.length > 0) items.push(heldItem(person, { explanation: 'follows-primary' }, { differences }))
  }
  const stays = ({ type }: RosterProduct) => !types.has(type)
  return { left: left.filter(stays), lost: lost.filter(stays), gained: gained.filter(({ product }) => stays(product)) }
}

interface PlanChange {
  readonly here: RosterProduct
  readonly stated: StatedProduct
}

/** The products of a primary that replace the only other one of their type. */
function changesOf(
  person: ComparedPerson,
  member: RosterMember,
  { lost, gained }: Differing,
  wanted: ReadonlyMap<string, StatedProduct>,
  { products }: FamilyTerms,
): PlanChange[] {
  if (person.role !== 'primary') return []
  const covered = new Set(member.benefits.map(({ productId }) => productId))
  const isAlone = (ids: Iterable<string>, type: string) =>
    [...ids].filter((id) => products.of(id)?.type === type).length === 1
  return lost.flatMap((here) => {
    const stated = gained.find(({ product }) => product.type === here.type)
    if (stated === undefined || !isAlone(covered, here.type) || !isAlone(wanted.keys(), here.type)) return []
    return [{ here, stated }]
  })
}

function changeItem(
  person: ComparedPerson,
  member: RosterMember,
  { here, stated: { product, lines } }: PlanChange,
  terms: RosterTerms,
): RosterItem {
  const about = {
    productName: product.name,
    lines: sorted(lines),
    differences: [productDifference(here.name, product.name)],
  }
  const hold = holdOfEnd(member, here.id, terms) ?? holdOfStart(member, product.id, terms)
  if (hold !== null) return heldItem(person, hold, about)
  return itemOf(person, {
    class: 'plan-change',
    movement: 'alteration',
    ...about,
    entry: {
      'tax-id': member.taxId,
      'alteration-data': { 'new-product-id': product.id },
      ...referenceOf(person.statement),
    },
  })
}

/** The end of a cover on the day that a line states; none where it ends on that day already. */
function leaverItems(
  person: ComparedPerson,
  member: RosterMember,
  product: RosterProduct,
  { exclusion, numbers }: Statement,
  sent: StatedProducts,
  { terms }: FamilyTerms,
): RosterItem[] {
  const details = exclusion ?? {}
  const endDate = details['end-date'] ?? null
  const covers = member.benefits.filter(({ productId }) => productId === product.id)
  if (endDate !== null && covers.every((benefit) => benefit.endDate === endDate)) return []
  const here = covers.map((benefit) => benefit.endDate).find((day) => day !== null) ?? null
  const reason = details['exclusion-reason'] ?? null
  const differences = [
    productDifference(product.name, null),
    { field: 'end-date', here, stated: endDate },
    ...(reason === null ? [] : [{ field: 'exclusion-reason', here: null, stated: reason }]),
  ]
  const lines = sorted(sent.left.get(product.id)?.lines ?? numbers)
  return [endItem(person, member, product, terms, { class: 'leaver', lines, differences }, details)]
}

function gainedItems(person: ComparedPerson, gained: readonly StatedProduct[], family: FamilyTerms): RosterItem[] {
  const { member } = person
  const items: RosterItem[] = []
  const free = gained.filter(({ product, lines }) => {
    const hold =
      member === null ? null : (holdOfContinuation(person, member) ?? holdOfStart(member, product.id, family.terms))
    if (hold === null) return true
    const differences = [productDifference(null, product.name)]
    items.push(heldItem(person, hold, { productName: product.name, lines: sorted(lines), differences }))
    return false
  })
  return free.length === 0 ? items : [...items, inclusionItem(person, free, family)]
}

/** Whoever has only kept plans after leaving is employed no more, or again: the continuation ends first. */
function holdOfContinuation({ role }: ComparedPerson, { benefits }: RosterMember) {
  const isContinued = role === 'primary' && benefits.length > 0 && benefits.every(({ extensionPlan }) => extensionPlan)
  return isContinued ? ({ explanation: 'under-continuation' } as const) : null
}
