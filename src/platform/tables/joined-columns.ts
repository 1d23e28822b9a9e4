import { headingKey } from '#kernel/heading.ts'
import type { TableColumns } from './header.ts'
import type { Cell } from './rows.ts'

/** The columns of several sheets as those of one table: those of the first, then what others have beside them. */
export class JoinedColumns {
  readonly #columnOf: TableColumns['columnOf']
  readonly #places = new Map<string, number>()
  readonly #names: string[] = []

  constructor(columnOf: TableColumns['columnOf']) {
    this.#columnOf = columnOf
  }

  get names(): readonly string[] {
    return this.#names
  }

  /** Adds the header of a sheet. @returns what puts the cells of its rows in their places. */
  add(names: readonly string[]): (cells: readonly Cell[]) => readonly Cell[] {
    if (this.#names.length === 0) {
      for (const name of names) this.#put(name)
      return (cells) => cells
    }
    const places = names.map((name) => (name === '' ? null : (this.#places.get(this.#keyOf(name)) ?? this.#put(name))))
    return (cells) => {
      const placed = Array.from({ length: this.#names.length }, (): Cell => '')
      for (const [index, place] of places.entries()) if (place !== null) placed[place] = cells[index] ?? ''
      return placed
    }
  }

  #put(name: string): number {
    const place = this.#names.push(name) - 1
    if (name !== '') this.#places.set(this.#keyOf(name), place)
    return place
  }

  #keyOf(name: string): string {
    const column = this.#columnOf(name)
    return column === null ? `heading ${headingKey(name)}` : column.name
  }
}

/** A sheet that is read, and its first line: the lines of a further sheet follow on those of the one before. */
export interface SheetRead {
  readonly sheet: string
  readonly 'from-line': number
}
