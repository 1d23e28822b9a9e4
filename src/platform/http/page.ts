import { Type, type TSchema } from 'typebox'

/** One page of a list, as a statement returns it. */
export interface Page {
  /** Number of items in the whole list. */
  readonly total: number
  /** The items as a JSON array in wire format. */
  readonly items: string
  /** Sums of the whole list, as JSON. */
  readonly totals?: string
}

/** A page whose items are each shown in another form. */
export function mapPage<Item>(page: Page, shown: (item: Item) => unknown): Page {
  return { ...page, items: JSON.stringify((JSON.parse(page.items) as Item[]).map((item) => shown(item))) }
}

/** The schema of a page of a list. */
export const PageOf = <T extends TSchema>(item: T, description = 'A page of the list.') =>
  Type.Object({ result: Type.Array(item), pagination: Type.Ref('Pagination') }, { description })

/** The schema of a response with one. */
export const ResultOf = <T extends TSchema>(item: T, description = 'Done.') =>
  Type.Object({ result: item }, { description })
