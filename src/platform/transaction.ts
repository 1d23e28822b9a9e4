import type { Sql, Transaction } from './database.ts'

/**
 * The key of the method that runs a transaction. Only `write` and the migrations have it: everything else that changes data is a verb, which calls
 * `write`. dependency-cruiser holds that.
 */
export const transact: unique symbol = Symbol('transact')

export interface Transactions {
  /**
   * Runs `work` in one transaction and commits; rolls back when it throws. Retries after a serialization failure and a deadlock, so
   * `work` must keep its effects inside the transaction.
   * @param retriesUniqueViolation for work that looks for a row first, inserts without `on conflict`, and reports the row when it finds it at
   * the second attempt.
   */
  [transact]<T>(
    work: (sql: Transaction) => Promise<T>,
    options?: { readonly retriesUniqueViolation?: boolean },
  ): Promise<T>
}

/** Undoes what `work` did when it throws, and when its result is not to be kept. */
export async function inSavepoint<T>(sql: Sql, work: () => Promise<T>, isKept: (result: T) => boolean): Promise<T> {
  const undo = async () => {
    await sql.execute('rollback to savepoint part')
    await sql.execute('release savepoint part')
  }
  await sql.execute('savepoint part')
  let result: T
  try {
    result = await work()
  } catch (error) {
    // Where the connection is lost, the first error says so.
    await undo().catch(() => {})
    throw error
  }
  if (isKept(result)) await sql.execute('release savepoint part')
  else await undo()
  return result
}
