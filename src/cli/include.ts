import { createHash, randomUUID } from 'node:crypto'
import { type ApiClient, pathOf, responseError } from './api-client.ts'
import type { Ending, Values } from './command-builder.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import type { Payroll } from './payroll.ts'
import { watchRequest } from './request.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

const parameters = {
  '<file>':
    'the body of the inclusion as JSON, or CSV with a line for each member and product; `-` reads standard input',
  '--dry-run': 'validate only; nothing is stored',
  '--lenient': 'accept the members without offenses, even when others have some',
  '--warnings': 'print the lines of warnings too; without it they are counted',
  '--watch': 'wait until the request is processed',
  '--company-tax-id <cnpj>': 'the company, when the file does not name it',
  '--format <format>': { description: 'when the name of the file does not show it', choices: ['json', 'csv'] },
  '--resolution <how>': {
    description: 'staging only: resolve the movements at once',
    choices: ['approve', 'reject'],
  },
  '--again': 'send it as a new batch although the same file was accepted in the last 24 hours',
} as const

/** `vigencia include`. */
export const includeCommand = apiCommand({
  name: 'include',
  description: 'include the members of a file, JSON or CSV, in products (partner)',
  examples: {
    'include test/data/payroll-1000.json --dry-run': 'validates it, and stores nothing',
    'include test/data/payroll-1000.json --watch': 'sends it and waits until it is processed',
    'include payroll.csv --company-tax-id 12ABC34501DE35 --lenient':
      'accepts the members without offenses; the output names the lines of the others',
  },
  parameters,
  api: 'partner',
  run: include,
})

type IncludeValues = Values<typeof parameters>

interface Rejected {
  readonly index: number
  readonly offenses: readonly string[]
}

interface Warning {
  readonly index?: number
  readonly warning: string
  readonly field: string
}

interface InclusionResponse {
  readonly 'request-id'?: string
  readonly error?: string
  readonly result?: readonly Rejected[]
  readonly warnings?: readonly Warning[]
}

async function include(values: IncludeValues, client: ApiClient): Promise<Ending> {
  const { dryRun, lenient, watch, json } = values
  const payroll = await readPayroll(client, values)
  const response = await send(client, payroll, values)
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

async function readPayroll(client: ApiClient, values: IncludeValues): Promise<Payroll> {
  const { file, companyTaxId: company = null } = values
  const bytes = await readInput(file)
  const { csvPayroll, jsonPayroll } = await import('./payroll.ts')
  const format = values.format ?? (/\.(csv|txt)$/i.test(file) ? 'csv' : 'json')
  if (format === 'json') return jsonPayroll(file, bytes, company)
  return csvPayroll(file, bytes, company, async (taxId) => {
    const response = await client.call<{ result: { products: { 'product-name': string; 'product-type': string }[] } }>(
      'GET',
      pathOf`/v1/company/${taxId}`,
    )
    return response.result.products
  })
}

/**
 * Sends the batch with an idempotency key that is a hash of its content, so that the same command after a broken connection gets
 * the first response instead of a second request. A stored error response is requested anew with another key: nothing was stored of
 * the batch, and its cause may be gone.
 */
async function send(client: ApiClient, { bytes }: Payroll, values: IncludeValues): Promise<Response> {
  const { resolution, lenient = false, dryRun, again } = values
  const query = { resolution, 'dry-run': dryRun }
  const headers = { 'content-type': 'application/json', ...(lenient ? { prefer: 'handling=lenient' } : {}) }
  const path = '/v1/enrollment/inclusion'
  if (dryRun) return client.send('POST', path, { query, headers, body: bytes })
  const settings = JSON.stringify([resolution ?? null, lenient, again ? randomUUID() : null])
  const digest = createHash('sha256').update(settings).update(bytes).digest('hex')
  for (let attempt = 1; ; attempt += 1) {
    const key = { 'idempotency-key': `"${digest}-${attempt}"` }
    const response = await client.send('POST', path, { query, headers: { ...headers, ...key }, body: bytes })
    if (response.ok || response.headers.get('idempotency-replayed') !== 'true') return response
    await response.arrayBuffer()
  }
}

/** The body of a response with offenses of members; other errors are thrown. */
async function bodyOf(response: Response): Promise<InclusionResponse> {
  if (response.ok) return (await response.json()) as InclusionResponse
  const error = await responseError(response)
  const body = error.body as InclusionResponse
  if (error.httpStatus === 400 && Array.isArray(body.result)) return body
  throw error
}

/** The response, each entry with its lines of the file. */
function withLines(body: InclusionResponse, { lines }: Payroll): unknown {
  const located = <T extends { index?: number }>(entries: readonly T[]) =>
    entries.map((entry) => (entry.index === undefined ? entry : { ...entry, lines: lines[entry.index] ?? [] }))
  return {
    ...body,
    ...(body.result === undefined ? {} : { result: located(body.result) }),
    ...(body.warnings === undefined ? {} : { warnings: located(body.warnings) }),
  }
}

/** Prints a line for each member with offenses: its lines and the offenses, without personal data. */
function printReport({ lines }: Payroll, body: InclusionResponse, values: IncludeValues): void {
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
