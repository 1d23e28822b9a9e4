/* What the lines of a person in a list say together. */
import type { DependentType, StartOption } from '#kernel/enums.ts'
import { foldText, sameName } from '#kernel/name.ts'
import { productNameKey } from '#kernel/product-name.ts'
import type { RosterLine, RosterProduct, RosterTerms } from './roster.ts'

type Value = string | number | boolean
type Values = Readonly<Record<string, Value>>

/** What usable lines state; what they do not state is null, or no key. */
export interface Statement {
  readonly rows: readonly RosterLine[]
  /** Sorted. */
  readonly numbers: readonly number[]
  readonly taxId: string | null
  readonly primaryTaxId: string | null
  readonly dependentType: DependentType | null
  readonly profile: Values
  /** `exclusion-details`, of somebody with a last day. */
  readonly exclusion: Values | null
  /** null also where lines have several. */
  readonly reference: string | null
}

const NAMES: ReadonlySet<string> = new Set([
  'name',
  'mothers-name',
  'fathers-name',
  'preferred-name',
  'bank-account-owners-name',
])

/** Whether a value is the same as another one, in normal form; names as they are compared. What is not marked as disabled is not disabled. */
export function isSameValue(field: string, stated: Value, other: unknown): boolean {
  if (stated === other) return true
  if (stated === false) return other === undefined || other === null
  return NAMES.has(field) && typeof stated === 'string' && typeof other === 'string' && sameName(stated, other)
}

/** Numbers of lines, each once. */
export const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b)

export const numbersOf = (lines: readonly RosterLine[]): number[] => sorted(lines.map(({ line }) => line))

/** What lines without offenses state together; null: they contradict each other. */
export function statementOf(rows: readonly RosterLine[]): Statement | null {
  const numbers = numbersOf(rows)
  const [first] = rows
  if (rows.length === 1 && first !== undefined) {
    const { taxId, primaryTaxId, dependentType, profile, exclusion, reference } = first
    return { rows, numbers, taxId, primaryTaxId, dependentType, profile, exclusion, reference }
  }
  // Whoever leaves everything on a day does not keep a product.
  const leavesAll = rows.some(({ exclusion, productName }) => exclusion !== null && productName === null)
  if (leavesAll && rows.some(({ exclusion, productName }) => exclusion === null && productName !== null)) return null
  const own = merged(
    rows.map(({ taxId, primaryTaxId, dependentType }) => ({
      'tax-id': taxId,
      'primary-member-tax-id': primaryTaxId,
      'dependent-type': dependentType,
    })),
  )
  const profile = merged(rows.map((row) => row.profile))
  const exclusions = rows.map((row) => row.exclusion).filter((one) => one !== null)
  const exclusion = merged(exclusions)
  const byProduct = Map.groupBy(rows, ({ productName }) => productName && productNameKey(productName))
  const agree = [...byProduct.values()].every(
    (some) => merged(some.map(({ startOption, carrier }) => ({ ...carrier, 'start-option': startOption }))) !== null,
  )
  if (own === null || profile === null || exclusion === null || !agree) return null
  const references = new Set(rows.flatMap(({ reference }) => reference ?? []))
  const [reference] = references
  return {
    rows,
    numbers,
    taxId: (own['tax-id'] as string | undefined) ?? null,
    primaryTaxId: (own['primary-member-tax-id'] as string | undefined) ?? null,
    dependentType: (own['dependent-type'] as DependentType | undefined) ?? null,
    profile,
    exclusion: exclusions.length > 0 ? exclusion : null,
    reference: references.size === 1 ? (reference ?? null) : null,
  }
}

/** The values of all, of names the longest; null: some have different values of a field. */
function merged(all: readonly Readonly<Record<string, Value | null>>[]): Values | null {
  const values: Record<string, Value> = {}
  for (const one of all) {
    for (const [field, value] of Object.entries(one)) {
      if (value === null) continue
      const known = values[field]
      if (known === undefined || isLonger(value, known)) values[field] = value
    }
  }
  const isKept = (one: Readonly<Record<string, Value | null>>) =>
    Object.entries(one).every(
      ([field, value]) => value === null || value === values[field] || isSameName(field, value, values[field]),
    )
  return all.every(isKept) ? values : null
}

const isSameName = (field: string, value: Value, other: unknown) => value !== false && isSameValue(field, value, other)

function isLonger(a: Value, b: Value): boolean {
  const [first, second] = [String(a), String(b)]
  return first.length === second.length ? first > second : first.length > second.length
}

const PARTICLES: ReadonlySet<string> = new Set(['da', 'das', 'de', 'do', 'dos', 'e'])
const wordsOf = (name: string) => foldText(name).split(/[^\p{L}\p{N}]+/u)

/** Whether two names are the same, or have a word in common that is no particle. */
export function haveCommonWord(a: string, b: string): boolean {
  if (a === b || sameName(a, b)) return true
  const words = new Set(wordsOf(a))
  return wordsOf(b).some((word) => word !== '' && !PARTICLES.has(word) && words.has(word))
}

export interface StatedProduct {
  readonly product: RosterProduct
  readonly startOption: StartOption | null
  readonly lines: readonly number[]
}

/** The products of a person's lines. */
export interface StatedProducts {
  /** By their ids, of lines without a last day. */
  readonly wanted: ReadonlyMap<string, StatedProduct>
  /** For lines with one; of all products: a line with a last day names none. */
  readonly left: ReadonlyMap<string, StatedProduct>
  readonly leavesAll: boolean
  /** Names of no product of the scope, by their keys. */
  readonly unknown: ReadonlyMap<string, { readonly name: string; readonly lines: readonly number[] }>
  /** Lines without a last day that name no product: it is open which one they are about. */
  readonly openLines: readonly number[]
  readonly openOption: StartOption | null
}

export function statedProducts(rows: readonly RosterLine[], products: ProductIndex): StatedProducts {
  const wanted = new Map<string, StatedProduct>()
  const left = new Map<string, StatedProduct>()
  const unknown = new Map<string, { name: string; lines: number[] }>()
  let leavesAll = false
  const openLines: number[] = []
  let openOption: StartOption | null = null
  for (const { productName, startOption, exclusion, line } of rows) {
    if (productName === null) {
      if (exclusion === null) {
        openLines.push(line)
        openOption ??= startOption
      } else leavesAll = true
      continue
    }
    const product = products.named(productName)
    // What the list is not about is not compared.
    if (product === null && products.isKnown(productName)) continue
    if (product === null) {
      const key = productNameKey(productName)
      const known = unknown.get(key)
      const name = known === undefined || productName < known.name ? productName : known.name
      unknown.set(key, { name, lines: [...(known?.lines ?? []), line] })
      continue
    }
    const group = exclusion === null ? wanted : left
    const known = group.get(product.id)
    const lines = [...(known?.lines ?? []), line]
    group.set(product.id, { product, startOption: known?.startOption ?? startOption, lines })
  }
  return { wanted, left, leavesAll, unknown, openLines, openOption }
}

/** The products of a list by id and name. */
export class ProductIndex {
  readonly #byId: ReadonlyMap<string, RosterProduct>
  readonly #byKey: ReadonlyMap<string, RosterProduct>
  /** By a name as it was written in a line before: most lines have the same few. */
  readonly #byName = new Map<string, RosterProduct>()

  constructor(products: readonly RosterProduct[]) {
    this.#byId = new Map(products.map((product) => [product.id, product]))
    this.#byKey = new Map(products.map((product) => [product.nameKey, product]))
  }

  of(id: string): RosterProduct | undefined {
    return this.#byId.get(id)
  }

  /** Whether it is a product of the company. */
  isKnown(name: string): boolean {
    return this.#byKey.has(productNameKey(name))
  }

  /** null: unknown, or not of the scope. */
  named(name: string): RosterProduct | null {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const product = this.#byKey.get(productNameKey(name))
    if (product?.isInScope !== true) return null
    this.#byName.set(name, product)
    return product
  }
}

const indexes = new WeakMap<RosterTerms, ProductIndex>()

/** The products of a list, which are the same for all its families. */
export function productsOf(terms: RosterTerms): ProductIndex {
  let index = indexes.get(terms)
  if (index === undefined) indexes.set(terms, (index = new ProductIndex(terms.products)))
  return index
}
