import type { Sql } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import { type JobResult, readJobResult } from './job-queries.ts'

/** The result of a job as a file of decisions has it: the lines that were decided so far, in their order. @throws ApiError 404. */
export async function fileResult(sql: Sql, jobId: string): Promise<string> {
  const { dryRun, lines, accepted, rejected, outcomes } = await readResult(sql, jobId)
  const items = outcomes.map(({ line, id, outcome }) => {
    return `{"line":${line},"enrollment-id":${JSON.stringify(id)},${outcome.slice(1)}`
  })
  const counts = { 'dry-run': dryRun, lines, accepted, rejected }
  return `${JSON.stringify(counts).slice(0, -1)},"result":[${items.join()}]}`
}

/** The result of a job as transitions have it. @throws ApiError 404. */
export async function transitionResult(sql: Sql, jobId: string): Promise<string> {
  const { outcomes } = await readResult(sql, jobId)
  const items = outcomes.map(({ id, outcome }) => `{"enrollment-id":${JSON.stringify(id)},${outcome.slice(1)}`)
  return `{"result":[${items.join()}]}`
}

async function readResult(sql: Sql, jobId: string): Promise<JobResult> {
  const result = await readJobResult(sql, jobId)
  if (result === null) throw new ApiError('decision-job-not-found')
  return result
}
