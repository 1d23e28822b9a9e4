import { createHash, randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { type CommandOptions, apiCommand } from './command-builder.ts'
import { type ApiClient, openApiClient, pathOf, responseError } from './api-client.ts'
import { ResponseError } from './errors.ts'
import { readInput } from './json-file.ts'
import type { Payroll } from './payroll.ts'
import { watchRequest } from './request.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface IncludeOptions extends CommandOptions {
  readonly dryRun?: true
  readonly lenient?: true
  readonly watch?: true
  readonly again?: true
  readonly warnings?: true
  readonly resolution?: string
  readonly companyTaxId?: string
  readonly format?: string
}

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

/** `vigencia include`. */
export function includeCommand(context: CommandContext): Command {
  return apiCommand('include', 'include the members of a file, JSON or CSV, in products (partner)', [
    ['include test/data/payroll-1000.json --dry-run', 'validates it, and stores nothing'],
    ['include test/data/payroll-1000.json --watch', 'sends it and waits until it is processed'],
    [
      'include payroll.csv --company-tax-id 12ABC34501DE35 --lenient',
      'accepts the members without offenses; the output names the lines of the others',
    ],
  ])
    .argument(
      '<file>',
      'the body of the inclusion as JSON, or CSV with a line for each member and product; `-` reads standard input',
    )
    .option('--dry-run', 'validate only; nothing is stored')
    .option('--lenient', 'accept the members without offenses, even when others have some')
    .option('--warnings', 'print the lines of warnings too; without it they are counted')
    .option('--watch', 'wait until the request is processed')
    .option('--company-tax-id <cnpj>', 'the company, when the file does not name it')
    .addOption(new Option('--format <format>', 'when the name of the file does not show it').choices(['json', 'csv']))
    .addOption(
      new Option('--resolution <how>', 'staging only: resolve the movements at once').choices(['approve', 'reject']),
    )
    .option('--again', 'send it as a new batch although the same file was accepted in the last 24 hours')
    .action((file: string, options: IncludeOptions) => include(context, file, options))
}

async function include(context: CommandContext, file: string, options: IncludeOptions): Promise<void> {
  const client = openApiClient(context, 'partner', options)
  const payroll = await readPayroll(context, client, file, options)
  const response = await send(client, payroll, options)
  const body = await bodyOf(response)
  const rejected = body.result ?? []
  if (rejected.length > 0) context.exitStatus = response.ok && options.dryRun !== true ? 'inPart' : 'refused'
  if (options.json) printJson(context, withLines(body, payroll))
  else printReport(context, file, payroll, body, options)
  const taken = payroll.members - rejected.length
  if (!response.ok)
    printMessage(context, `${rejected.length} of ${payroll.members} members have offenses; nothing was kept.`)
  else if (options.dryRun) {
    printMessage(
      context,
      `Judged only: ${taken} of ${payroll.members} members would be taken${rejected.length > 0 && !options.lenient ? ' with --lenient' : ''}; nothing was kept.`,
    )
  } else printMessage(context, `${taken} of ${payroll.members} members taken.`)
  const id = body['request-id']
  if (id === undefined) return
  if (response.headers.get('idempotency-replayed') === 'true') {
    printMessage(context, 'This file was taken before: this is that request. To send it as a new one: --again')
  }
  if (options.watch) await watchAfter(context, client, id, options)
  else printMessage(context, `See what becomes of it: vigencia request watch ${id}`)
}

/** With `--json` standard output has the response only, so the progress of the request goes to standard error. */
async function watchAfter(
  context: CommandContext,
  client: ApiClient,
  id: string,
  options: IncludeOptions,
): Promise<void> {
  const before = context.exitStatus
  await watchRequest(
    options.json ? { ...context, stdout: context.stderr, interruption: context.interruption } : context,
    client,
    id,
    {},
  )
  if (context.exitStatus === 'ok') context.exitStatus = before
}

async function readPayroll(
  context: CommandContext,
  client: ApiClient,
  file: string,
  options: IncludeOptions,
): Promise<Payroll> {
  const bytes = await readInput(context, file)
  const { csvPayroll, jsonPayroll } = await import('./payroll.ts')
  const format = options.format ?? (/\.(csv|txt)$/i.test(file) ? 'csv' : 'json')
  const company = options.companyTaxId ?? null
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
async function send(client: ApiClient, payroll: Payroll, options: IncludeOptions): Promise<Response> {
  const query = { resolution: options.resolution, 'dry-run': options.dryRun }
  const headers = {
    'content-type': 'application/json',
    ...(options.lenient ? { prefer: 'handling=lenient' } : {}),
  }
  const path = '/v1/enrollment/inclusion'
  if (options.dryRun) return client.send('POST', path, { query, headers, body: payroll.bytes })
  const settings = JSON.stringify([
    options.resolution ?? null,
    options.lenient ?? false,
    options.again ? randomUUID() : null,
  ])
  const digest = createHash('sha256').update(settings).update(payroll.bytes).digest('hex')
  for (let attempt = 1; ; attempt += 1) {
    const key = { 'idempotency-key': `"${digest}-${attempt}"` }
    const response = await client.send('POST', path, { query, headers: { ...headers, ...key }, body: payroll.bytes })
    if (response.ok || response.headers.get('idempotency-replayed') !== 'true') return response
    await response.arrayBuffer()
  }
}

/** The body of a response with offenses of members; other errors are thrown. */
async function bodyOf(response: Response): Promise<InclusionResponse> {
  if (response.ok) return (await response.json()) as InclusionResponse
  const error = await responseError(response)
  const body = error.body as InclusionResponse
  if (error instanceof ResponseError && error.status === 400 && Array.isArray(body.result)) return body
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
function printReport(
  context: CommandContext,
  file: string,
  { lines }: Payroll,
  body: InclusionResponse,
  options: IncludeOptions,
): void {
  const warnings = (body.warnings ?? []).map(({ index, warning, field }) => ({
    index,
    message: `warning ${warning} ${oneLine(field)}`,
  }))
  const placed = [
    ...(body.result ?? []).map((one) => ({ index: one.index, message: one.offenses.join(' ') })),
    ...(options.warnings ? warnings : []),
  ]
  for (const { index, message } of placed.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1))) {
    const where = index === undefined ? '' : `:${(lines[index] ?? []).join(',')}`
    print(context, `${file === '-' ? 'stdin' : file}${where}: ${message}`)
  }
  if (body['request-id'] !== undefined) print(context, `request-id ${body['request-id']}`)
  const kinds = Map.groupBy(options.warnings ? [] : warnings, ({ message }) => message)
  for (const [kind, some] of kinds) printMessage(context, `${some.length} times ${kind}; --warnings prints the lines.`)
}
