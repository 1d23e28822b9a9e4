import type { AlterationBatchFacts } from '../rules/alteration-batch.ts'
import type { MovementKind } from '#kernel/enums.ts'
import type { ExclusionBatchFacts } from '../rules/exclusion-batch.ts'
import type { InclusionFacts } from '../rules/inclusion-facts.ts'
import type { JsonLimits } from '#platform/http/strict-json.ts'
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
  readonly [Kind in MovementKind]: (body: Buffer, limits?: JsonLimits) => ReadBatch<BatchFacts[Kind]>
} = {
  inclusion: (body, limits) => {
    const read = readInclusionBody(body, limits)
    return {
      summary: summarizeInclusions(read),
      finish: (facts, options) => finishInclusionBody(read, facts, options),
    }
  },
  exclusion: (body, limits) => {
    const read = readExclusionBody(body, limits)
    return {
      summary: summarizeExclusions(read),
      finish: (facts, options) => finishExclusionBody(read, facts, options),
    }
  },
  alteration: (body, limits) => {
    const read = readAlterationBody(body, limits)
    return {
      summary: summarizeAlterations(read),
      finish: (facts, options) => finishAlterationBody(read, facts, options),
    }
  },
}
