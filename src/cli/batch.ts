import { type ApiClient, responseError } from './api-client.ts'
import type { Ending, Values } from './command-builder.ts'
import { onceParameters, sendOnce } from './once.ts'
import type { Payroll } from './payroll.ts'
import { watchRequest } from './request.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

/** The options of a batch of movements. */
export const batchParameters = {
  '--dry-run': 'validate only; nothing is stored',
  '--lenient': 'accept the members without offenses, even when others have some',
  '--warnings': 'print the lines of warnings too; without it they are counted',
  '--watch': 'wait until the request is processed',
  '--company-tax-id <cnpj>': 'the company, when the file does not name it',
  '--format <format>': { description: 'when the name of the file does not show it', choices: ['csv', 'json'] },
  '--resolution <how>': {
    description: 'staging only: resolve the movements at once',
    choices: ['approve', 'reject'],
  },
  ...onceParameters,
} as const

type BatchValues = Values<typeof batchParameters> & { readonly file: string }

interface Rejected {
  readonly index: number
  readonly offenses: readonly string[]
}

interface Warning {
  readonly index?: number
  readonly warning: string
  readonly field: string
}

interface BatchResponse {
  readonly 'request-id'?: string
  readonly error?: string
  readonly result?: readonly Rejected[]
  readonly warnings?: readonly Warning[]
}

/** Sends the batch and prints the offenses of its members by the lines of the file. */
export async function sendBatch(
  client: ApiClient,
  path: string,
  payroll: Payroll,
  values: BatchValues,
): Promise<Ending> {
  const { dryRun, lenient, watch, json, resolution, again } = values
  const query = { resolution, 'dry-run': dryRun }
  const headers: Record<string, string> = lenient ? { prefer: 'handling=lenient' } : {}
  const response = dryRun
    ? await client.send('POST', path, {
        query,
        headers: { 'content-type': 'application/json', ...headers },
        body: payroll.bytes,
      })
    : await sendOnce(client, path, { query, headers, body: payroll.bytes }, again)
  const body = await bodyOf(response)
  const rejected = body.result ?? []
  if (json) printJson(withLines(body, payroll))
  else printReport(payroll, body, values)
  const { members } = payroll
  const taken = members - rejected.length
  if (!response.ok) printMessage(`${rejected.length} of ${members} members have offenses; nothing was kept.`)
  else if (dryRun) {
    const how = rejected.length > 0 && !lenient ? ' with --lenient' : ''
    printMessage(`Judged only: ${taken} of ${members} members would be taken${how}; nothing was kept.`)
  } else printMessage(`${taken} of ${members} members taken.`)
  const ending = rejected.length === 0 ? 'ok' : response.ok && !dryRun ? 'inPart' : 'refused'
  const id = body['request-id']
  if (id === undefined) return ending
  if (response.headers.get('idempotency-replayed') === 'true') {
    printMessage('This file was taken before: this is that request. To send it as a new one: --again')
  }
  // With `--json` standard output has the response only.
  if (watch) return (await watchRequest(client, id, json ? process.stderr : process.stdout)) ?? ending
  printMessage(`See what becomes of it: vigencia request watch ${id}`)
  return ending
}

/** The body of a response with offenses of members; other errors are thrown. */
async function bodyOf(response: Response): Promise<BatchResponse> {
  if (response.ok) return (await response.json()) as BatchResponse
  const error = await responseError(response)
  const body = error.body as BatchResponse
  if (error.httpStatus === 400 && Array.isArray(body.result)) return body
  throw error
}

/** The response, each entry with its lines of the file. */
function withLines(body: BatchResponse, { lines }: Payroll): unknown {
  const located = <T extends { index?: number }>(entries: readonly T[]) =>
    entries.map((entry) => (entry.index === undefined ? entry : { ...entry, lines: lines[entry.index] ?? [] }))
  return {
    ...body,
    ...(body.result === undefined ? {} : { result: located(body.result) }),
    ...(body.warnings === undefined ? {} : { warnings: located(body.warnings) }),
  }
}

/** Prints a line for each member with offenses: its lines and the offenses, without personal data. */
function printReport({ lines }: Payroll, body: BatchResponse, values: BatchValues): void {
  const file = values.file === '-' ? 'stdin' : values.file
  const warnings = (body.warnings ?? []).map(({ index, warning, field }) => ({
    index,
    message: `warning ${warning} ${oneLine(field)}`,
  }))
  const placed = [
    ...(body.result ?? []).map((one) => ({ index: one.index, message: one.offenses.join(' ') })),
    ...(values.warnings ? warnings : []),
  ]
  for (const { index, message } of placed.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1))) {
    const where = index === undefined ? '' : `:${(lines[index] ?? []).join(',')}`
    print(`${file}${where}: ${message}`)
  }
  if (body['request-id'] !== undefined) print(`request-id ${body['request-id']}`)
  const kinds = Map.groupBy(values.warnings ? [] : warnings, ({ message }) => message)
  for (const [kind, some] of kinds) printMessage(`${some.length} times ${kind}; --warnings prints the lines.`)
}
