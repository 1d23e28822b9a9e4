import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Context } from '#platform/http/context.ts'
import { type BatchKind, judgeBatch } from '../batch/accept.ts'
import { alterationOfDraft } from '../drafts/send.ts'
import { exclusion } from '../exclude/batch-queries.ts'
import { inclusion } from '../include/queries.ts'
import type { Intake } from '../rules/intake.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { bodyOf } from '../drafts/items.ts'
import type { DerivedItem } from './compare-thread.ts'

interface Judging {
  readonly actor: ClientActor
  readonly companyTaxId: string
  /** For an operator's list. */
  readonly intake: Intake | null
}

/** An item with what the rules of its movement say of it. */
export type JudgedItem = Omit<DerivedItem, 'offenses' | 'needs'> & {
  readonly offenses: readonly string[]
  readonly needs: readonly string[]
}

/**
 * Judges what was derived as the batches that it would be, and stores nothing. What is missing is needed; an exclusion without its last day is not judged yet.
 * @throws ApiError 401, 403.
 */
export async function judgeItems(
  context: Context,
  sql: Sql,
  items: readonly DerivedItem[],
  judging: Judging,
): Promise<JudgedItem[]> {
  const judged = new Map<DerivedItem, readonly string[]>()
  const kinds: Record<MovementKind, () => Promise<void>> = {
    inclusion: () => judgeAs(inclusion, context, sql, ofMovement(items, 'inclusion'), judging, judged),
    exclusion: () =>
      judgeAs(
        exclusion,
        context,
        sql,
        ofMovement(items, 'exclusion').filter(({ needs }) => needs.length === 0),
        judging,
        judged,
      ),
    alteration: () => judgeAs(alterationOfDraft, context, sql, ofMovement(items, 'alteration'), judging, judged),
  }
  for (const judge of Object.values(kinds)) await judge()
  return items.map((item) => {
    const codes = judged.get(item) ?? []
    const missing = codes.filter(isMissing).map((code) => code.slice('missing-'.length))
    return {
      ...item,
      needs: [...item.needs, ...missing],
      offenses: [...item.offenses, ...codes.filter((code) => !isMissing(code))],
    }
  })
}

const ofMovement = (items: readonly DerivedItem[], movement: MovementKind) =>
  items.filter((item) => item.movement === movement && item.entry !== null)

/** A field that can be given when the item is confirmed. */
const isMissing = (code: string): boolean => code.startsWith('missing-') && code !== 'missing-documents'

async function judgeAs<Movement extends MovementKind>(
  kind: BatchKind<Movement>,
  context: Context,
  sql: Sql,
  items: readonly DerivedItem[],
  judging: Judging,
  judged: Map<DerivedItem, readonly string[]>,
): Promise<void> {
  // A batch takes one alteration of a person; those of a draft become one when they are requested.
  for (const round of rounds(items)) await judgeRound(kind, context, sql, round, judging, judged)
}

/** The items in groups that have no person twice. */
function rounds(items: readonly DerivedItem[]): DerivedItem[][] {
  const found: DerivedItem[][] = []
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = `${item.taxId} ${item.memberType}`
    const round = counts.get(key) ?? 0
    counts.set(key, round + 1)
    ;(found[round] ??= []).push(item)
  }
  return found
}

async function judgeRound<Movement extends MovementKind>(
  kind: BatchKind<Movement>,
  context: Context,
  sql: Sql,
  items: readonly DerivedItem[],
  { actor, companyTaxId, intake }: Judging,
  judged: Map<DerivedItem, readonly string[]>,
): Promise<void> {
  const body = bodyOf(
    companyTaxId,
    null,
    items.map(({ entry }) => entry ?? {}),
  )
  const { lists } = await judgeBatch(kind, context, sql, actor, {
    body,
    dryRun: true,
    lenient: true,
    resolution: null,
    language: 'en',
    ...(intake !== null && { intake }),
  })
  const { result = [] } = JSON.parse(`{${lists.join()}}`) as {
    readonly result?: readonly { readonly index: number; readonly offenses: readonly string[] }[]
  }
  for (const { index, offenses } of result) {
    const item = items[index]
    if (item !== undefined) judged.set(item, offenses)
  }
}
