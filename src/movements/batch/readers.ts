import type { AlterationBatchFacts } from '../rules/alteration-batch.ts'
import type { MovementKind } from '#kernel/enums.ts'
import type { ExclusionBatchFacts } from '../rules/exclusion-batch.ts'
import type { InclusionFacts } from '../rules/inclusion-facts.ts'
import type { ReadOptions } from './read-options.ts'
import { finishAlterationBody, readAlterationBody, summarizeAlterations } from './alteration-body.ts'
import { finishExclusionBody, readExclusionBody, summarizeExclusions } from './exclusion-body.ts'
import { finishInclusionBody, readInclusionBody, summarizeInclusions } from './inclusion-body.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'

/** The facts that a batch of each kind is judged by. */
export interface BatchFacts {
  readonly inclusion: InclusionFacts
  readonly exclusion: ExclusionBatchFacts
  readonly alteration: AlterationBatchFacts
}

/** A parsed body, before the facts of its company are known. */
export interface ReadBatch<Facts> {
  readonly summary: BatchSummary
  readonly finish: (facts: Facts, options: FinishOptions) => FinishedBatch
}

/** Parse the bodies of each movement. @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export const readers: {
  readonly [Kind in MovementKind]: (body: Buffer, options?: ReadOptions) => ReadBatch<BatchFacts[Kind]>
} = {
  inclusion: (body, options) => {
    const read = readInclusionBody(body, options)
    return {
      summary: summarizeInclusions(read),
      finish: (facts, finishing) => finishInclusionBody(read, facts, finishing),
    }
  },
  exclusion: (body, options) => {
    const read = readExclusionBody(body, options)
    return {
      summary: summarizeExclusions(read),
      finish: (facts, finishing) => finishExclusionBody(read, facts, finishing),
    }
  },
  alteration: (body, options) => {
    const read = readAlterationBody(body, options)
    return {
      summary: summarizeAlterations(read),
      finish: (facts, finishing) => finishAlterationBody(read, facts, finishing),
    }
  },
}
