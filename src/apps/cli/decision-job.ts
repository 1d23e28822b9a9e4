import type { DecisionJob, DecisionResult } from '@vigencia/client'
import type { Ending } from './command-builder.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { interruption, oneLine, openProgress, print, printJson, printMessage, type Screen } from './terminal.ts'

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** `vigencia decision-job result`. */
export const decisionJobResultCommand = apiCommand({
  name: 'result',
  description: 'wait for a job of decisions, and print the lines that were refused (operator)',
  examples: { [`decision-job result ${id} --json`]: 'every line with what became of it' },
  parameters: { '<job-id>': '' },
  api: 'operator',
  async run({ jobId, json }, client): Promise<Ending> {
    const screen = json ? process.stderr : process.stdout
    const job = await withProgress(screen, (following) => client.sdk.decisionJobs.wait(jobId, following))
    const result = await client.sdk.decisionJobs.result(jobId)
    if (json) printJson(result)
    else printRefused(result, jobId)
    const left = job.lines - job.done
    if (left > 0) printMessage(say`The job is broken (${job['broken-reason']}); ${left} lines were not done.`)
    return left > 0 && result.rejected === 0 ? 'inPart' : endingOf(result)
  },
})

/** What `decide`, `transitionAll` and `wait` take. */
interface Following {
  readonly signal: AbortSignal
  readonly onProgress: (job: DecisionJob) => void
}

/** Sends decisions, and shows the progress of their job where there is one. After Ctrl-C the job goes on. */
export function followJob<T>(json: true | undefined, send: (following: Following) => Promise<T>): Promise<T> {
  return withProgress(json ? process.stderr : process.stdout, send)
}

async function withProgress<T>(screen: Screen, send: (following: Following) => Promise<T>): Promise<T> {
  const progress = openProgress(screen)
  const signal = interruption()
  const jobIds = new Set<string>()
  try {
    return await send({
      signal,
      onProgress(job) {
        jobIds.add(job['job-id'])
        progress.show(job.done, job.lines, say`lines, ${job.rejected} refused`)
      },
    })
  } finally {
    progress.end()
    const [jobId] = signal.aborted ? jobIds : []
    if (jobId !== undefined) printMessage(say`The job goes on. See it: vigencia decision-job show ${jobId}`)
  }
}

/** Prints the refused lines and a summary. @param source where the lines are from. */
export function printRefused(result: DecisionResult, source: string): void {
  for (const { line, 'enrollment-id': of, error } of result.result) {
    if (error !== undefined) print(oneLine(`${source}:${line}: ${of ?? ''} ${error}`))
  }
  printMessage(summaryOf(result))
}

export function summaryOf(result: DecisionResult): string {
  const { lines, accepted, refused, rejected, 'dry-run': dryRun } = result
  const resolved = dryRun ? say`would be resolved` : say`resolved`
  if (refused === undefined) return say`${lines} lines, ${accepted} ${resolved}, ${rejected} refused.`
  const { 'unknown-columns': columns = [], 'sheets-not-read': sheets = [] } = result
  return [
    say`${lines} lines, ${accepted} accepted and ${refused} refused by the carrier ${resolved}, ${rejected} not used.`,
    ...(columns.length > 0 ? [oneLine(say`Columns that are not known: ${columns.join(', ')}.`)] : []),
    ...(sheets.length > 0 ? [oneLine(say`Sheets that were not read: ${sheets.join(', ')}.`)] : []),
  ].join('\n')
}

export function endingOf({ accepted, done = accepted, rejected, 'dry-run': dryRun }: DecisionResult): Ending {
  if (rejected === 0) return 'ok'
  return done > 0 && !dryRun ? 'inPart' : 'refused'
}
