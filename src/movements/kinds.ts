import type { Tx } from '../core/write.ts'
import type { MovementKind } from '../domain/enums.ts'
import type { Context } from '../http/context.ts'
import { alteration } from './alter/batch-queries.ts'
import type { BatchKind } from './batch/accept.ts'
import { processBatch, type Progress } from './batch/process.ts'
import { exclusion } from './exclude/batch-queries.ts'
import { inclusion } from './include/queries.ts'

/** What differs by kind of movement when it is requested: the facts that it is judged by, and what becomes of its items. */
export const kinds: { readonly [Kind in MovementKind]: BatchKind<Kind> } = { inclusion, exclusion, alteration }

/** One step of the worker for an accepted batch of any kind. @throws EarlierRequestError, NotVisibleYetError. */
export const processItems = (context: Context, tx: Tx, companyId: string, requestId: string): Promise<Progress> =>
  processBatch(context, tx, kinds, companyId, requestId)
