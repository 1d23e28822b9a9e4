import type { Tx } from '#platform/core/write.ts'
import type { JudgedItem } from './judge.ts'

/** Stores what follows from families that were compared, until all are. */
export async function insertItems(
  tx: Tx,
  companyId: string,
  syncId: string,
  items: readonly JudgedItem[],
): Promise<void> {
  if (items.length === 0) return
  const positions = new Map<string, number>()
  const rows = items.map((item) => {
    const position = (positions.get(item.family) ?? 0) + 1
    positions.set(item.family, position)
    return { family: item.family, position, item }
  })
  await tx.query(
    `insert into roster_item (company_id, sync_id, family, position, item)
     select $1, $2, family, position, item from json_to_recordset($3::json) as sent(family text, position integer, item jsonb)`,
    [companyId, syncId, JSON.stringify(rows)],
    items.length,
  )
}
