import { randomUUID } from 'node:crypto'
import type { TestApp } from './test-app.ts'

/** A step of a periodic task that is put aside. @returns its path. */
export async function putStepAside({ sql }: Pick<TestApp, 'sql'>): Promise<string> {
  const id = randomUUID()
  await sql(
    `insert into work (id, kind, target_id, run_at, attempts, created_at, reason, failed_at)
     values ($1, 'ageing-out', $2, 'infinity', 12, now(), 'time-limit', now())`,
    [id, randomUUID()],
  )
  return `/operator/v1/failed-step/${id}`
}
