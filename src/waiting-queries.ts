import type { Sql } from './database.ts'

/** What waits for a worker. Ages in seconds; 0 when nothing waits. */
export interface Waiting {
  readonly work: number
  readonly workAge: number
  readonly unsealed: number
  readonly unsealedAge: number
}

/** Counts what waits, in one statement over tables that hold only that. */
export async function readWaiting(sql: Sql): Promise<Waiting> {
  const [waiting] = await sql.rows<Waiting>(
    `select w.count as work, w.age as "workAge", u.count as unsealed, u.age as "unsealedAge"
     from (select count(*) as count, coalesce(greatest(extract(epoch from clock_timestamp() - min(created_at)), 0), 0)::float8 as age from work) w,
          (select count(*) as count, coalesce(greatest(extract(epoch from clock_timestamp() - min(at)), 0), 0)::float8 as age from audit_unsealed) u`,
  )
  return waiting ?? { work: 0, workAge: 0, unsealed: 0, unsealedAge: 0 }
}
