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

/** The pagination of a list with one item, for examples. */
export const onePage = {
  'current-page': 1,
  'total-items': 1,
  'total-pages': 1,
  'next-page': null,
  'previous-page': null,
}

/** The schema of a page of a list. @param example an item. */
export function PageOf<T extends TSchema>(item: T, example: unknown, options: { description?: string } = {}) {
  return Type.Object(
    { result: Type.Array(item), pagination: Type.Ref('Pagination') },
    { ...options, examples: [{ result: [example], pagination: onePage }] },
  )
}

/** The schema of a response with one. @param example of it. */
export function ResultOf<T extends TSchema>(item: T, example: unknown, options: { description?: string } = {}) {
  return Type.Object({ result: item }, { ...options, examples: [{ result: example }] })
}
