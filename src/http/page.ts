/** One page of a list, as a statement returns it. */
export interface Page {
  /** Number of items in the whole list. */
  readonly total: number
  /** The items as a JSON array in wire format. */
  readonly items: string
}
