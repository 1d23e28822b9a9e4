import type { Tx } from '#platform/core/write.ts'
import type { MovementKind } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { applyAlterations } from './alter/process.ts'
import type { Progress } from '#platform/http/district.ts'
import { type ApplyItems, processBatch } from './batch/process.ts'
import { applyExclusionItems } from './exclude/process.ts'
import { applyInclusions } from './include/process.ts'

/** What becomes of the items of an accepted batch. What a batch is judged by is its `BatchKind`, beside its routes. */
const apply: Readonly<Record<MovementKind, ApplyItems>> = {
  inclusion: applyInclusions,
  exclusion: applyExclusionItems,
  alteration: applyAlterations,
}

/** One step of the worker for an accepted batch of any kind. @throws EarlierRequestError, NotVisibleYetError. */
export const processItems = (context: Context, tx: Tx, companyId: string, requestId: string): Promise<Progress> =>
  processBatch(context, tx, apply, companyId, requestId)
