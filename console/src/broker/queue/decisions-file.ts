import type { ResponseBody } from '@vigencia/client'

export type FileOutcome = ResponseBody<'decideEnrollments'>['result'][number]

/** The header and the records that have an error, as they are in the file, to mend and send again. */
export function failedLines(text: string, outcomes: readonly FileOutcome[]): string {
  const lines = text.split('\n')
  const header = lines.slice(0, 1)
  const records = outcomes.flatMap(({ line, error }, index) =>
    // A record ends where the next one begins: it may have line breaks in quotes.
    error === undefined ? [] : lines.slice(line - 1, (outcomes[index + 1]?.line ?? lines.length + 1) - 1),
  )
  return `${[...header, ...records].join('\n').trimEnd()}\n`
}
