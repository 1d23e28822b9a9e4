import { addDays, businessDate } from '#kernel/calendar.ts'
import { retentionDays } from '#kernel/retention-days.ts'
import { byCompany } from '#platform/core/by-company.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { isHeld } from '#registry/legal-holds/held.ts'

/** SQL: a person of the `movement_draft`, or the company, is held. */
const hasHeldPerson = `(${isHeld('movement_draft.company_id', 'null::bpchar')} or exists (select 1 from movement_draft_item
  where movement_draft_item.company_id = movement_draft.company_id and movement_draft_item.draft_id = movement_draft.id
    and ${isHeld('movement_draft_item.company_id', 'movement_draft_item.tax_id', 'movement_draft_item.member_id')}))`

/** SQL of drafts (companyId, id) that were closed before the day `$1` and still have items. */
export const closedDrafts = `select movement_draft.company_id as "companyId", movement_draft.id from movement_draft
  where movement_draft.closed_at < $1::date and not ${hasHeldPerson}
    and exists (select 1 from movement_draft_item where movement_draft_item.company_id = movement_draft.company_id
      and movement_draft_item.draft_id = movement_draft.id)`

/** SQL of documents (companyId, id) of drafts that were closed before the day `$1`, which no movement and no request has. */
export const unusedDraftDocuments = `with closed as materialized (
    select movement_draft.company_id, movement_draft.id, array(
      select named.item->>'document-id' from request
      join enrollment on enrollment.company_id = request.company_id and enrollment.request_id = request.id
      cross join lateral jsonb_array_elements(case jsonb_typeof(enrollment.data->'documents') when 'array'
        then enrollment.data->'documents' else '[]' end) as named(item)
      where request.company_id = movement_draft.company_id and request.draft_id = movement_draft.id
      union all
      select evidence.id::text from request
      join request_intake on request_intake.company_id = request.company_id and request_intake.request_id = request.id
      cross join lateral unnest(request_intake.documents) as evidence(id)
      where request.company_id = movement_draft.company_id and request.draft_id = movement_draft.id) as document_ids
    from movement_draft
    where movement_draft.closed_at < $1::date and not ${hasHeldPerson}
      and movement_draft.id in (select document.request_id from document)
  )
  select document.company_id as "companyId", document.id from document
  join closed on closed.company_id = document.company_id and closed.id = document.request_id
  where not document.id::text = any(closed.document_ids)
  order by document.company_id, document.id`

/** Deletes the items of drafts that were closed long ago: what became movements is there. */
export async function deleteDraftItems(context: Context, signal: AbortSignal): Promise<void> {
  const days = retentionDays(context.config.retention, 'draft')
  if (days === null) return
  const before = addDays(businessDate(context.database.now()), -days)
  while (!signal.aborted) {
    const due = await context.database.queryPlanned<{ companyId: string; id: string }>(
      `${closedDrafts} order by "companyId", id limit $2`,
      [before, CHUNK_SIZE],
    )
    for (const [companyId, drafts] of byCompany(due)) {
      const ids = drafts.map(({ id }) => id)
      await write(context, { kind: 'service' }, { may: 'service' }, async (tx) => {
        const deleted = await tx.query<{ draftId: string }>(
          'delete from movement_draft_item where company_id = $1 and draft_id = any($2::uuid[]) returning draft_id as "draftId"',
          [companyId, ids],
        )
        const emptied = [...new Set(deleted.map(({ draftId }) => draftId))]
        tx.audit(emptied.map((id) => ({ action: 'retention.deleted', target: `draft ${id}`, companyId })))
      })
    }
    if (due.length < CHUNK_SIZE) return
  }
}
