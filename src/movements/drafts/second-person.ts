import { v7 as uuidv7 } from 'uuid'
import { required } from '#platform/core/log.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { write } from '#platform/core/write.ts'
import { batchResponse, DocumentsTakenError, judgeBatch } from '../batch/accept.ts'
import { readExclusionBody } from '../batch/exclusion-body.ts'
import type { Instead } from '../batch/route.ts'
import { exclusion } from '../exclude/batch-queries.ts'
import { entriesOf, exclusionItems } from './items.ts'
import { openDraft } from './open.ts'
import { readDraftFor } from './queries.ts'
import { expiryOf } from './rows.ts'

/**
 * An operator's batch of exclusions of more people than one operator may exclude becomes a draft, which another one confirms. It is judged as one
 * without `lenient`.
 * @throws ApiError 400, 403, 404 or 409, and BatchShapeError.
 */
export const draftOfMany: Instead = async (context, actor, { body, dryRun, lenient, language, saveResponse }) => {
  const { secondPersonExclusions: max } = context.config
  if (max === null || actor.kind !== 'operator') return null
  // A copy of the bytes: those of a large batch are transferred to the thread that judges it.
  const sent = Buffer.from(body)
  const typedAt = { now: context.database.now(), today: context.today() }
  const { companyTaxId, reference, intake, entries } = readExclusionBody(sent, { typedAt })
  const peopleOf = (some: typeof entries) => new Set(some.flatMap(({ taxId }) => taxId ?? [])).size
  if (peopleOf(entries) <= max) return null
  for (;;) {
    const judging = { body: Buffer.from(sent), dryRun: true, lenient: false, resolution: null, language }
    const judged = await judgeBatch(exclusion, context, context.database, actor, judging)
    const { companyId, isAccepted, lists } = judged
    if (!isAccepted) {
      const rejected = new Set(rejectedOf(lists))
      const isMany = peopleOf(entries.filter(({ index }) => !rejected.has(index))) > max
      return lenient && !isMany ? null : judged
    }
    if (dryRun) return { ...judged, fields: [...judged.fields, '"approval":"second-operator"'] }
    const company = { id: companyId, taxId: companyTaxId }
    const ownIntake = required(intake, 'intake of an operator')
    const draft = {
      id: uuidv7(),
      companyId,
      movement: 'exclusion',
      reference,
      comment: null,
      intake: ownIntake,
      approval: 'second-operator',
      expiresOn: expiryOf(context.today()),
      items: await exclusionItems(context.database, company, entriesOf(sent), ownIntake),
    } as const
    const documents = entries.flatMap(({ details }) => details?.documents.map((one) => one['document-id']) ?? [])
    const saved: typeof saveResponse = (sql, response, companyIds) => saveResponse(sql, response, companyIds, {}, 202)
    try {
      const fields = await write(context, actor, { may: mayRequest(actor), saveResponse: saved }, async (tx) => {
        await openDraft(tx, actor, draft, [...documents, ...ownIntake.documents])
        const result = (await readDraftFor(tx, actor, draft.id)).slice(1, -1)
        tx.respond(batchResponse([result, ...lists]), [companyId])
        return [result]
      })
      return { ...judged, fields, isDraft: true }
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
    }
  }
}

/** The indexes of the entries that are rejected. */
const rejectedOf = (lists: readonly string[]): number[] =>
  (JSON.parse(`{${lists.join()}}`) as { readonly result?: readonly { readonly index: number }[] }).result?.map(
    ({ index }) => index,
  ) ?? []
