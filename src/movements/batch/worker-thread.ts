import type { MovementKind } from '#kernel/enums.ts'
import { serveSession } from '#platform/core/threads.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import { type BatchFacts, type ReadBatch, readers } from './readers.ts'
import type { ReadOptions } from './read-options.ts'
import type { FieldError } from '#kernel/fields.ts'

/** First the body, then the facts of its company. */
export type ThreadRequest =
  | { readonly movement: MovementKind; readonly body: ArrayBuffer; readonly options: ReadOptions }
  | { readonly facts: BatchFacts[MovementKind]; readonly options: FinishOptions }

export type ThreadResponse =
  | { readonly summary: BatchSummary }
  | { readonly finished: FinishedBatch }
  | { readonly details: readonly FieldError[] }

export default serveSession<ThreadRequest, ThreadResponse>(() => {
  let batch: ReadBatch<never> | null = null
  return (request) => {
    if ('body' in request) {
      try {
        batch = readers[request.movement](Buffer.from(request.body), request.options)
        return { response: { summary: batch.summary } }
      } catch (error) {
        // Its details would be lost on the way.
        if (error instanceof BatchShapeError) return { response: { details: error.details } }
        throw error
      }
    }
    if (batch === null) throw new Error('the batch is not open')
    const finished = batch.finish(request.facts as never, request.options)
    // Transferred, not copied: up to some MiB.
    const bytes = [finished.items, finished.withSentences].filter((buffer) => buffer !== null)
    return { response: { finished }, transfer: bytes.map(({ buffer }) => buffer as ArrayBuffer) }
  }
})
