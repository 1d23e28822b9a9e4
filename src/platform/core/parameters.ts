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

  /** SQL of the conditions of a filter: one for each key that has a value. */
  conditions<Filter>(filter: Filter, conditions: Conditions<Filter>): string[] {
    return conditions.flatMap(([key, condition]) => {
      const value = filter[key] ?? null
      return value === null ? [] : [condition(this.add(value))]
    })
  }
}

/** What each key of a filter requires, as SQL of the parameter with its value. */
export type Conditions<Filter> = readonly (readonly [keyof Filter, (parameter: string) => string])[]

/** The condition that a column has the value. */
export const equals = (column: string) => (parameter: string) => `${column} = ${parameter}`
