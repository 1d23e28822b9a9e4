import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'

/** A step of a list whose lines are stored. */
export async function compareRoster(
  _context: Context,
  _tx: Tx,
  _companyId: string,
  _syncId: string,
): Promise<Progress> {
  return 'done'
}
