import { expect } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import type { Query } from './invariants.ts'
import { InjectedError, withInjectedErrors } from './steps.ts'

/**
 * Makes the act fail after each of its statements in turn, then lets it end.
 * @param read what is the same before the act and after each failure.
 * @returns what the act returns, and how often it failed.
 */
export async function failAfterEach<Result>(
  context: Context,
  read: () => Promise<unknown>,
  act: (on: Context) => Promise<Result>,
): Promise<{ readonly result: Result; readonly failed: number }> {
  const injection = withInjectedErrors(context)
  const before = await read()
  for (let failed = 0; ; failed += 1) {
    injection.arm(failed + 1)
    try {
      return { result: await act(injection.context), failed }
    } catch (error) {
      if (!(error instanceof InjectedError)) throw error
    }
    expect(await read()).toEqual(before)
  }
}

/** A checksum of all rows of each table. */
export async function checksumsOf(ask: Query, tables: readonly string[]): Promise<unknown> {
  const checksums = tables.map(
    (table) => `(select md5(string_agg(${table}::text, ' ' order by ${table}::text)) from ${table}) as ${table}`,
  )
  return (await ask(`select ${checksums.join()}`))[0]
}

/** The number of rows of tables that a step of a batch writes. */
export async function countRows(ask: Query, tables: readonly string[]): Promise<unknown> {
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const statuses = `(select json_agg(request.status order by request.id) from request) as requests`
  return (await ask(`select ${counts.join()}, ${statuses}`))[0]
}
