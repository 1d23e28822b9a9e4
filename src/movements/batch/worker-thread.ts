import { answering } from '../../core/threads.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import { type BatchFacts, type MovementKind, type ReadBatch, readers } from './readers.ts'
import type { FieldError } from '../../domain/field-types.ts'

/** First the body, then the facts of its company. */
export type ThreadQuestion =
  | { readonly movement: MovementKind; readonly body: ArrayBuffer }
  | { readonly facts: BatchFacts[MovementKind]; readonly options: FinishOptions }

export type ThreadAnswer =
  | { readonly summary: BatchSummary }
  | { readonly finished: FinishedBatch }
  | { readonly details: readonly FieldError[] }

export default answering<ThreadQuestion, ThreadAnswer>(() => {
  let batch: ReadBatch<never> | null = null
  return (question) => {
    if ('body' in question) {
      try {
        batch = readers[question.movement](Buffer.from(question.body))
        return { answer: { summary: batch.summary } }
      } catch (error) {
        // Its details would be lost on the way.
        if (error instanceof BatchShapeError) return { answer: { details: error.details } }
        throw error
      }
    }
    if (batch === null) throw new Error('the batch is not open')
    const finished = batch.finish(question.facts as never, question.options)
    // Transferred, not copied: up to some MiB.
    return { answer: { finished }, transfer: finished.staged === null ? [] : [finished.staged.buffer as ArrayBuffer] }
  }
})
