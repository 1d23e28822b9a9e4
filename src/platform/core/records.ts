/** Rows as one parameter of JSON, for `json_to_recordset`. A statement over many of them is planned for them, as for an array. */
export class Records {
  readonly json: string
  readonly length: number

  /** @param length how many rows the JSON has. */
  constructor(json: string, length: number) {
    this.json = json
    this.length = length
  }

  static of(rows: readonly object[]): Records {
    return new Records(JSON.stringify(rows), rows.length)
  }

  /** For `pg`. */
  toPostgres(): string {
    return this.json
  }
}
