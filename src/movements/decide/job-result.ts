import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type JobResult, readJobResult } from './job-queries.ts'
import { resultBody } from './results.ts'

/** The result of a job as a file of decisions has it: the lines that were decided so far, in their order. @throws ApiError 404. */
export async function fileResult(sql: Sql, jobId: string): Promise<object> {
  const { dryRun, lines, accepted, refused, rejected, notRead, results } = await readResult(sql, jobId)
  const result = results.map(({ line, id, result: stored }) => ({ line, 'enrollment-id': id, ...resultBody(stored) }))
  const counted = { 'dry-run': dryRun, lines, accepted, rejected }
  if (notRead === null) return { ...counted, result }
  const { unknownColumns, sheetsNotRead } = notRead
  return {
    ...counted,
    refused,
    done: accepted + refused,
    ...(unknownColumns.length > 0 && { 'unknown-columns': unknownColumns }),
    ...(sheetsNotRead.length > 0 && { 'sheets-not-read': sheetsNotRead }),
    result,
  }
}

/** The result of a job as transitions have it. @throws ApiError 404. */
export async function transitionResult(sql: Sql, jobId: string): Promise<object> {
  const { results } = await readResult(sql, jobId)
  return { result: results.map(({ id, result: stored }) => ({ 'enrollment-id': id, ...resultBody(stored) })) }
}

async function readResult(sql: Sql, jobId: string): Promise<JobResult> {
  const result = await readJobResult(sql, jobId)
  if (result === null) throw new ApiError('decision-job-not-found')
  return result
}
