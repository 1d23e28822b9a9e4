import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { expireItems, lockDraft, readExpired, settleDraft } from './rows.ts'

/** Closes the drafts that nobody confirmed in time. A draft that requests movements goes on. @returns how many. */
export async function expireDrafts(context: Context, signal: AbortSignal): Promise<number> {
  let expired = 0
  while (!signal.aborted) {
    const today = context.today()
    const due = await readExpired(context.database, today, CHUNK_SIZE)
    for (const { companyId, id } of due) {
      await write(context, { kind: 'clock' }, { may: 'service' }, async (tx) => {
        const { status, expiresOn } = await lockDraft(tx, companyId, id)
        if (status !== 'open' || expiresOn >= today) return
        await expireItems(tx, companyId, id)
        await settleDraft(tx, companyId, id, 'expired')
        expired += 1
      })
    }
    if (due.length < CHUNK_SIZE) break
  }
  return expired
}
