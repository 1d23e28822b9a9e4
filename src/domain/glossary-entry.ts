/** A field by its wire name. */
export interface GlossaryEntry {
  /** In Brazilian Portuguese, as HR and benefits departments write it. */
  readonly term: string
  /** In Portuguese, for users without knowledge of programming. */
  readonly meaning: string
  /** In English; absent where openapi.json describes the field once. */
  readonly en?: string
  /** The law or regulation that defines it. */
  readonly norm?: string
}
