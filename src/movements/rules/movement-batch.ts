/* The members of a batch from the lines of a table: what the command line and the console send are one shape. */
import { ALTERATION_KEYS } from './alteration-columns.ts'
import { LEAVER_DETAILS } from './leaver-columns.ts'
import { productNameKey } from '#kernel/product-name.ts'

/** A line of a table, its cells as values by column. */
export interface MovementLine {
  /** In the file, from 1. */
  readonly number: number
  readonly fields: Readonly<Record<string, unknown>>
}

export interface TableMembers {
  readonly members: readonly object[]
  /** The lines of the file, by index of the member. */
  readonly lines: readonly (readonly number[])[]
}

interface Person {
  readonly member: Readonly<Record<string, unknown>>
  readonly products: Record<string, object[]>
  readonly lines: number[]
}

/** Columns of a line that name the product; all others are fields of the member. */
const productColumns = new Set(['company-tax-id', 'product-type', 'product-name', 'start-option'])

/**
 * The members of an inclusion. Lines that agree in all fields of the member are one member with several products; others stay apart, for the
 * service to judge.
 * @param products of the company, for lines without `product-type`.
 * @param startOption of the lines without one.
 */
export function membersToInclude(
  lines: readonly MovementLine[],
  products: readonly { readonly 'product-name': string; readonly 'product-type': string }[],
  startOption?: string,
): TableMembers {
  const types = new Map(products.map((product) => [productNameKey(product['product-name']), product['product-type']]))
  const people = new Map<string, Person>()
  for (const { number, fields } of lines) {
    const entries = Object.entries(fields).filter(([name]) => !productColumns.has(name))
    const key = JSON.stringify(entries)
    const person = people.get(key) ?? { member: Object.fromEntries(entries), products: {}, lines: [] }
    people.set(key, person)
    person.lines.push(number)
    const { 'product-name': name, 'product-type': sentType, 'start-option': option = startOption } = fields
    if (typeof name !== 'string') continue
    const type = typeof sentType === 'string' ? sentType : (types.get(productNameKey(name)) ?? 'other')
    const product = { name, ...(option === undefined ? {} : { 'start-option': option }) }
    ;(person.products[type] ??= []).push(product)
  }
  const all = [...people.values()]
  return {
    members: all.map(({ member, products: chosen }) => ({ ...member, products: chosen })),
    lines: all.map((person) => person.lines),
  }
}

/** The members of an exclusion, one a line. @param defaults details of the lines that have none of their own. */
export function membersToExclude(
  lines: readonly MovementLine[],
  defaults: Readonly<Record<string, string | undefined>> = {},
): TableMembers {
  const isDetail = ([name]: readonly [string, unknown]) => LEAVER_DETAILS.some((detail) => detail === name)
  const members = lines.map(({ fields }) => {
    const cells = Object.entries(fields).filter(([name]) => name !== 'company-tax-id')
    return {
      ...Object.fromEntries(cells.filter((cell) => !isDetail(cell))),
      'exclusion-details': { ...defaults, ...Object.fromEntries(cells.filter(isDetail).map(detailOfCell)) },
    }
  })
  return { members, lines: lines.map(({ number }) => [number]) }
}

/**
 * The members of an alteration, one a line: what a line does not state is not altered.
 * @param products of the company. A name that is none of them, or that is of another company, stays, and the service refuses it.
 */
export function membersToAlter(
  lines: readonly MovementLine[],
  products: readonly { readonly 'product-name': string; readonly 'product-id': string }[],
): TableMembers {
  const ids = new Map(products.map((product) => [productNameKey(product['product-name']), product['product-id']]))
  const members = lines.map(({ fields }) => {
    const { 'company-tax-id': _, 'tax-id': taxId, reference, ...data } = fields
    const ownProducts = data['new-company-tax-id'] === undefined
    const entries = Object.entries(data).map(([name, value]) => {
      const key = ALTERATION_KEYS.get(name)
      const id = ownProducts && name === 'new-product-name' ? ids.get(productNameKey(String(value))) : undefined
      // Two columns for one key are refused, as a key that is not known.
      return [key === undefined || Object.hasOwn(data, key) ? name : key, id ?? value]
    })
    return {
      ...(taxId !== undefined && { 'tax-id': taxId }),
      'alteration-data': Object.fromEntries(entries) as object,
      ...(reference !== undefined && { reference }),
    }
  })
  return { members, lines: lines.map(({ number }) => [number]) }
}

const booleans: ReadonlySet<string> = new Set(['extension-plan', 'contributed', 'keeps-working-after-retirement'])

/** A detail of an exclusion as JSON has it; a cell in no known form stays, and the service refuses it. */
export function detailOfCell([name, cell]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof cell !== 'string') return [name, cell]
  if (booleans.has(name) && /^(?:true|1|yes|sim)$/i.test(cell)) return [name, true]
  if (booleans.has(name) && /^(?:false|0|no|n[aã]o)$/i.test(cell)) return [name, false]
  return [name, name === 'contribution-months' && /^\d{1,3}$/.test(cell) ? Number(cell) : cell]
}
