import type { Tx } from '#platform/core/write.ts'
import { lockFamilies } from '../transition/families.ts'
import type { Context } from '#platform/http/context.ts'
import type { Applied } from '../batch/process.ts'
import { type Chunk, readPendingItems } from '../batch/process-queries.ts'
import { insertChunkExclusions, readBenefitIds, readFailures } from './process-queries.ts'

/** Inserts the enrollments of a chunk of exclusions. */
export async function applyExclusionItems(_: Context, sql: Tx, at: Date, chunk: Chunk): Promise<Applied> {
  const { companyId } = chunk
  await lockFamilies(sql, companyId, await readBenefitIds(sql, chunk))
  const failed = await readFailures(sql, chunk)
  const failedIds = failed.map(({ enrollmentId }) => enrollmentId)
  const enrollments = await insertChunkExclusions({ sql, companyId, at }, chunk, failedIds)
  const missing = await readPendingItems(sql, chunk)
  return { enrollmentIds: enrollments.map(({ id }) => id), missing, failures: failed.map(({ failure }) => failure) }
}
