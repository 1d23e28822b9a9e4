import type { Result } from '@vigencia/client'

export type TableOfFile = Result<'readTable'>

/** A file as its columns are shown. */
export interface MappedTable {
  readonly 'header-row': number
  readonly columns: readonly {
    readonly heading: string
    readonly field: string | null
    readonly proposed: string | null
  }[]
  readonly rows: readonly { readonly cells: readonly string[] }[]
}

/** What was said of the columns and words of a file. */
export interface Choices {
  /** By heading; null: the column is ignored. */
  readonly fields: ReadonlyMap<string, string | null>
  readonly words: readonly { readonly field: string; readonly value: string; readonly as: string }[]
  /** How columns are written, by heading, where their cells do not say it. */
  readonly formats?: ReadonlyMap<string, string>
}

/** A word of a file that no field has as a value. */
export interface UnknownWord {
  readonly field: string
  readonly value: string
  readonly lines: number
}

/** What the columns of a kind of file may be. */
export interface MappingForm {
  readonly fields: readonly string[]
  readonly labelOf: (field: string) => string
  /** Whether a heading stands for a field without being mapped. */
  readonly isKnown: (heading: string) => boolean
  /** The fields that a file with these lacks. */
  readonly missingOf: (taken: ReadonlySet<string | null>) => readonly string[]
  /** @param fields what the columns were said to be, by heading. */
  readonly wordsOf: (fields: ReadonlyMap<string, string | null>) => readonly UnknownWord[]
  readonly valuesOf: (field: string) => readonly { readonly value: string; readonly label: string }[]
  /** How a column of the field may be written where its cells do not say it; the first is the usual one. */
  readonly formatsOf?: (heading: string, field: string) => readonly { readonly value: string; readonly label: string }[]
  /** What is read in a cell of the column, in words; null: as it is. @param format undefined: what the cells say. */
  readonly readingOf?: (heading: string, field: string, cell: string, format: string | undefined) => string | null
}
