import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { Sql } from './database.ts'

const metadataName = 'clock-days'

/** By how many days the business day of the installation was moved; 0 where it never was. */
async function readMovedDays(sql: Pick<Sql, 'query'>): Promise<number> {
  const rows = await sql.query<{ value: string }>('select value from service_metadata where name = $1', [metadataName])
  return Number(rows[0]?.value ?? 0)
}

/** Stores by how many days it is moved, for all processes. */
export async function writeMovedDays(sql: Pick<Sql, 'execute'>, days: number): Promise<void> {
  await sql.execute(
    `insert into service_metadata (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [metadataName, String(days)],
  )
}

/**
 * The business day of the installation. In staging it can be moved forward: the number of days is stored in the database, which every process
 * reads once a second.
 */
export class BusinessClock {
  readonly #unmoved: () => LocalDate
  #movedDays = 0

  /** @param unmoved the day in Sao Paulo, or the configured one. */
  constructor(unmoved: () => LocalDate) {
    this.#unmoved = unmoved
  }

  get movedDays(): number {
    return this.#movedDays
  }

  today(): LocalDate {
    return addDays(this.#unmoved(), this.#movedDays)
  }

  /** Reads by how many days the clock is moved now. */
  async read(sql: Pick<Sql, 'query'>): Promise<void> {
    this.#movedDays = await readMovedDays(sql)
  }
}
