import { AUTOMATIC_CLASSES, type RosterDoubt } from '#kernel/roster-syncs.ts'
import { rosterSyncEvent } from '#platform/core/events.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { insertOrphan, releaseDocuments } from '#registry/documents/queries.ts'
import { confirmAutomatically } from '../drafts/confirm.ts'
import { expiryOf, insertRosterDraft, settleDraft, supersedeDrafts } from '../drafts/rows.ts'
import { readPolicy } from '../roster-policy/queries.ts'
import { doubtsOf, type FoundDoubt } from '../rules/roster-doubts.ts'
import type { ComparedSync } from './compared-sync.ts'
import { deleteStaged } from './rows.ts'

/**
 * Ends a comparison: what may be wrong with the list as a whole, and a draft of what differs, which replaces what is proposed of the older lists of
 * the same people. The list itself is deleted.
 */
export async function finishRoster(context: Context, tx: Tx, sync: ComparedSync): Promise<void> {
  const { companyId, id, actor, tally, states, acceptDoubts, automatic } = sync
  const policy = await readPolicy(tx, companyId)
  const doubts = doubtsOf(
    {
      states,
      lines: sync.lines,
      refusedLines: sync.refusedLines,
      suspiciousLines: sync.suspiciousLines,
      isComplete: sync.isComplete,
      hasMovementSheets: sync.hasMovementSheets,
      peopleCount: sync.peopleCount,
      isFormer: await isFormer(tx, sync),
      minPresencePercent: policy.minPresencePercent,
    },
    tally,
  )
  const isDoubtful = doubts.some(({ doubt }) => !acceptDoubts.includes(doubt))
  const accepted = doubts.flatMap(({ doubt }) => (acceptDoubts.includes(doubt) ? [doubt] : []))
  if (accepted.length > 0) {
    tx.as(actor).audit({ action: 'roster-sync.doubts-accepted', target: [id, ...accepted].join(' '), companyId })
  }
  const counts = await insertRosterDraft(tx, actor, {
    id,
    companyId,
    reference: sync.reference,
    intake: sync.intake,
    scopeKey: sync.scopeKey,
    covered: tally.covered,
    isDoubtful,
    expiresOn: expiryOf(context.today()),
  })
  await supersedeDrafts(tx, companyId, sync.scopeKey, id)
  await endComparison(tx, sync, doubts)
  await insertOrphan(tx, sync.storageKey)
  await deleteStaged(tx, companyId, id)
  tx.as(actor).audit({ action: 'roster-sync.compared', target: id, companyId })
  // A company reads its own lists, and the drafts of all.
  if (actor.kind === 'partner') tx.emit(companyId, rosterSyncEvent({ id, counts }))
  if (counts.length === 0) return releaseDocuments(tx, companyId, id)
  await settleDraft(tx, companyId, id, 'done')
  const classes = AUTOMATIC_CLASSES.filter((one) => policy.automatic.includes(one))
  if (automatic && classes.length > 0) await confirmAutomatically(context, tx, actor, companyId, id, classes)
}

/** Whether an older list of the same scope came again, or the list shows an earlier day than the last one. The last list itself may come again. */
async function isFormer(sql: Sql, { companyId, id, scopeKey, asOf, sha256 }: ComparedSync): Promise<boolean> {
  const [row] = await sql.query<{ isFormer: boolean }>(
    `with former as (
       select as_of, encode(sha256, 'hex') as hash, row_number() over (order by finished_at desc, id desc) as place
       from roster_sync where company_id = $1 and scope_key = $2 and status = 'compared' and id <> $3
     )
     select exists (select 1 from former where place = 1 and as_of > $4::date) or (
       exists (select 1 from former where place > 1 and hash = $5) and not exists (select 1 from former where place = 1 and hash = $5)) as "isFormer"`,
    [companyId, scopeKey, id, asOf, sha256],
  )
  return row?.isFormer === true
}

async function endComparison(
  tx: Tx,
  { companyId, id, tally }: ComparedSync,
  doubts: readonly (FoundDoubt & { readonly doubt: RosterDoubt })[],
): Promise<void> {
  await tx.execute(
    `update roster_sync set status = 'compared', finished_at = $3, unchanged = $4, doubts = $5, storage_key = null, intake = null,
       compared_through = null, tally = '{}' where company_id = $1 and id = $2`,
    [companyId, id, tx.at(), tally.unchanged, JSON.stringify(doubts)],
  )
}
