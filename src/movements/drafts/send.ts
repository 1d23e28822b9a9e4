import { v7 as uuidv7 } from 'uuid'
import { MOVEMENT_KINDS } from '#kernel/enums.ts'
import { hasAtMostCharacters, isAbsent } from '#kernel/fields.ts'
import { fitsLines } from '#kernel/name.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { mayRequest, noSuchCompany } from '#platform/core/may-request.ts'
import { type SaveResponse, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { batchLimits } from '#platform/http/strict-json.ts'
import { alteration } from '../alter/batch-queries.ts'
import { type BatchKind, batchResponse, type BatchResult, DocumentsTakenError, judgeBatch } from '../batch/accept.ts'
import { readAlterationBody } from '../batch/alteration-body.ts'
import { BatchShapeError, parseBody } from '../batch/parse-and-judge.ts'
import { alterationItems, entriesOf } from './items.ts'
import { openDraft } from './open.ts'
import { readDraftFor } from './queries.ts'
import { expiryOf } from './rows.ts'

/** A draft of a company has so many entries. */
const MAX_DRAFT_ENTRIES = 1_000
const maxComment = 500

/** The batch of alterations of a draft: also people who are dependents only, as in an operator's. */
export const alterationOfDraft: BatchKind<'alteration'> = {
  movement: 'alteration',
  readFacts: async (...given) => {
    const read = await alteration.readFacts(...given)
    return read && { ...read, facts: { ...read.facts, dependentsAlterable: true } }
  },
}

interface Sending {
  readonly body: Buffer
  readonly dryRun: boolean
  readonly language: Language
  readonly saveResponse: SaveResponse
}

/**
 * Judges the alterations that a company asks its broker for, and makes a draft of them. A document that another call uses meanwhile is judged again.
 * @throws ApiError 400, 401, 403 or 409, and BatchShapeError.
 */
export async function sendDraft(
  context: Context,
  actor: ClientActor,
  { body, dryRun, language, saveResponse }: Sending,
): Promise<BatchResult> {
  const { comment, batch } = parseDraft(body)
  for (;;) {
    // A copy: a large body is transferred to a thread.
    const sent = { body: Buffer.from(batch), dryRun: true, lenient: false, resolution: null, language }
    const judged = await judgeBatch(alterationOfDraft, context, context.database, actor, sent)
    if (!judged.isAccepted || dryRun) return judged
    const { companyId, lists } = judged
    const { companyTaxId, reference, entries } = readAlterationBody(batch)
    const items = await alterationItems(context.database, { id: companyId, taxId: companyTaxId }, entriesOf(batch))
    const draft = {
      id: uuidv7(),
      companyId,
      movement: 'alteration',
      reference,
      comment,
      intake: null,
      approval: 'broker',
      expiresOn: expiryOf(context.today()),
      items,
    } as const
    const documents = entries.flatMap(({ request }) => request?.documents.map((one) => one['document-id']) ?? [])
    const companies = { ids: [companyId], entitled: 'all', error: () => noSuchCompany(actor) } as const
    try {
      const fields = await write(context, actor, { may: mayRequest(actor), companies, saveResponse }, async (tx) => {
        await openDraft(tx, actor, draft, documents)
        const result = (await readDraftFor(tx, actor, draft.id)).slice(1, -1)
        tx.respond(batchResponse([result, ...lists]), [companyId])
        return [result]
      })
      return { ...judged, fields }
    } catch (error) {
      if (!(error instanceof DocumentsTakenError)) throw error
    }
  }
}

/** The body without what only a draft has. @throws ApiError 400, and BatchShapeError. */
function parseDraft(body: Buffer): { readonly comment: string | null; readonly batch: Buffer } {
  const { movement, comment, ...batch } = parseBody(body, batchLimits)
  if (isAbsent(movement)) throw new BatchShapeError([{ field: 'movement', code: 'missing' }])
  if (movement !== 'alteration') {
    const isKnown = MOVEMENT_KINDS.some((kind) => kind === movement)
    throw new BatchShapeError([{ field: 'movement', code: isKnown ? 'not-applicable' : 'invalid' }])
  }
  if (Array.isArray(batch['members']) && batch['members'].length > MAX_DRAFT_ENTRIES) {
    throw new BatchShapeError([{ field: 'members', code: 'too-many' }])
  }
  return { comment: parseComment(comment), batch: Buffer.from(JSON.stringify(batch)) }
}

function parseComment(sent: unknown): string | null {
  if (isAbsent(sent)) return null
  const text = typeof sent === 'string' ? sent.trim() : ''
  if (text === '' || !hasAtMostCharacters(text, maxComment) || !fitsLines(text))
    throw new BatchShapeError([{ field: 'comment', code: 'invalid' }])
  return text
}
