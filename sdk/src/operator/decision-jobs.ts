import { BrokenJobError } from '../errors.ts'
import { DecisionJobs as Methods } from '../generated/operator.ts'
import { pause } from '../retry.ts'
import { type Call, readJson, resultOf, type Transport } from '../transport.ts'
import type { DecisionJob, DecisionResult, RequestOptions, ResponseBody } from '../types.ts'

export interface JobOptions extends RequestOptions {
  /** Called with the job once it is made, and with each reading of it until it ends; not when it ends at once. */
  readonly onProgress?: ((job: DecisionJob) => void) | undefined
}

/** Most jobs end within a second: then there is one call. */
const prefer = 'wait=1'
/** Milliseconds between two readings of a job: the first pause, and the longest. */
const [firstInterval, interval] = [250, 2_000]

/** Jobs of decisions: files, and many enrollments at once. */
export class DecisionJobs extends Methods {
  /** The job once it is `done` or `broken`, which is no error. */
  async wait(jobId: string, { onProgress, ...options }: JobOptions = {}): Promise<DecisionJob> {
    for (let delay = firstInterval; ; delay = Math.min(delay * 1.3, interval)) {
      const job = await this.get(jobId, options)
      onProgress?.(job)
      if (job['finished-at'] !== null) return job
      await pause(delay, options.signal)
    }
  }
}

/**
 * Sends decisions, and waits for their job where there is one.
 * @param bodyOf what the service answers where there is no job to wait for, made of the result of a job.
 * @throws BrokenJobError
 */
export async function sendDecisions<Id extends 'decideEnrollments' | 'moveEnrollments' | 'acknowledgeShipment'>(
  transport: Transport,
  id: Id,
  call: Call,
  { onProgress, ...options }: JobOptions,
  bodyOf: (result: DecisionResult) => ResponseBody<Id>,
): Promise<ResponseBody<Id>> {
  const sent = { ...call, options, headers: { prefer } }
  const { isDone, body } = await transport.send(id, sent, async (response) => ({
    isDone: response.status !== 202,
    body: await readJson<unknown>(response),
  }))
  if (isDone) return body as ResponseBody<Id>
  const jobs = new DecisionJobs(transport)
  const made = resultOf(body) as DecisionJob
  onProgress?.(made)
  const job = made['finished-at'] === null ? await jobs.wait(made['job-id'], { onProgress, ...options }) : made
  if (job.status === 'broken') throw new BrokenJobError(job)
  return bodyOf(await jobs.result(job['job-id'], options))
}
