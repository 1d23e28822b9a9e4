/** The values of a statement whose text is built in parts: each part adds its own, and gets the number of its parameter. */
export class Parameters {
  readonly values: unknown[]

  /** @param first the values of `$1`, `$2` and so on, which the text names by number. */
  constructor(...first: readonly unknown[]) {
    this.values = [...first]
  }

  /** Adds a value. @returns its parameter, as `$3`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

/** The condition that a column has the value. */
export const equals = (column: string) => (parameter: string) => `${column} = ${parameter}`

/** The condition that a column has one of the values of a list. @param open SQL of what the value `open` stands for. */
export const oneOf = (column: string, open?: string) => (parameter: string) => {
  const isListed = `${column} = any(${parameter}::text[])`
  return open === undefined ? isListed : `(${isListed} or ('open' = any(${parameter}::text[]) and ${open}))`
}
