import { createHash, randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { type CommandOptions, calling } from './command-builder.ts'
import { type ApiClient, openApiClient, pathOf, refusal } from './api-client.ts'
import { RefusedError } from './errors.ts'
import { readInput } from './json-file.ts'
import type { Payroll } from './payroll.ts'
import { watchRequest } from './request.ts'
import { oneLine, print, printJson, tell } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface IncludeAsked extends CommandOptions {
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

interface Answer {
  readonly 'request-id'?: string
  readonly error?: string
  readonly result?: readonly Rejected[]
  readonly warnings?: readonly Warning[]
}

/** `vigencia include`. */
export function includeCommand(context: CommandContext): Command {
  return calling('include', 'include the members of a file, JSON or CSV, in products (partner)', [
    ['include test/data/payroll-1000.json --dry-run', 'has it judged, and keeps nothing'],
    ['include test/data/payroll-1000.json --watch', 'sends it and waits until it is processed'],
    [
      'include payroll.csv --company-tax-id 12ABC34501DE35 --lenient',
      'takes the members without offenses; the output names the lines of the others',
    ],
  ])
    .argument(
      '<file>',
      'the body of the inclusion as JSON, or CSV with a line for each member and product; `-` reads standard input',
    )
    .option('--dry-run', 'judge only; nothing is kept')
    .option('--lenient', 'take the members without offenses, even when others have some')
    .option('--warnings', 'name the lines of warnings too; without it they are counted')
    .option('--watch', 'wait until the request is processed')
    .option('--company-tax-id <cnpj>', 'the company, when the file does not say it')
    .addOption(new Option('--format <format>', 'when the name of the file does not say it').choices(['json', 'csv']))
    .addOption(
      new Option('--resolution <how>', 'staging only: resolve the movements at once').choices(['approve', 'reject']),
    )
    .option('--again', 'send it as a new batch although the same file was taken in the last 24 hours')
    .action((file: string, options: IncludeAsked) => include(context, file, options))
}

async function include(context: CommandContext, file: string, options: IncludeAsked): Promise<void> {
  const client = openApiClient(context, 'partner', options)
  const payroll = await readPayroll(context, client, file, options)
  const answer = await send(client, payroll, options)
  const body = await bodyOf(answer)
  const rejected = body.result ?? []
  if (rejected.length > 0) context.ending = answer.ok && options.dryRun !== true ? 'inPart' : 'refused'
  if (options.json) printJson(context, withLines(body, payroll))
  else report(context, file, payroll, body, options)
  const taken = payroll.members - rejected.length
  if (!answer.ok) tell(context, `${rejected.length} of ${payroll.members} members have offenses; nothing was kept.`)
  else if (options.dryRun) {
    tell(
      context,
      `Judged only: ${taken} of ${payroll.members} members would be taken${rejected.length > 0 && !options.lenient ? ' with --lenient' : ''}; nothing was kept.`,
    )
  } else tell(context, `${taken} of ${payroll.members} members taken.`)
  const id = body['request-id']
  if (id === undefined) return
  if (answer.headers.get('idempotency-replayed') === 'true') {
    tell(context, 'This file was taken before: this is that request. To send it as a new one: --again')
  }
  if (options.watch) await watchAfter(context, client, id, options)
  else tell(context, `See what becomes of it: vigencia request watch ${id}`)
}

/** The answer stands alone on standard output, so with `--json` the request is watched without its own. */
async function watchAfter(
  context: CommandContext,
  client: ApiClient,
  id: string,
  options: IncludeAsked,
): Promise<void> {
  const before = context.ending
  await watchRequest(
    options.json ? { ...context, stdout: context.stderr, interruption: context.interruption } : context,
    client,
    id,
    {},
  )
  if (context.ending === 'ok') context.ending = before
}

async function readPayroll(
  context: CommandContext,
  client: ApiClient,
  file: string,
  options: IncludeAsked,
): Promise<Payroll> {
  const bytes = await readInput(context, file)
  const { csvPayroll, jsonPayroll } = await import('./payroll.ts')
  const format = options.format ?? (/\.(csv|txt)$/i.test(file) ? 'csv' : 'json')
  const company = options.companyTaxId ?? null
  if (format === 'json') return jsonPayroll(file, bytes, company)
  return csvPayroll(file, bytes, company, async (taxId) => {
    const answer = await client.call<{ result: { products: { 'product-name': string; 'product-type': string }[] } }>(
      'GET',
      pathOf`/v1/company/${taxId}`,
    )
    return answer.result.products
  })
}

/**
 * Sends the batch under a key made from what it says, so that the same command typed again after a broken connection gets the
 * first answer instead of a second request. A refusal that is only remembered is asked for anew: nothing was kept of it, and
 * what it complained of may have been mended.
 */
async function send(client: ApiClient, payroll: Payroll, options: IncludeAsked): Promise<Response> {
  const query = { resolution: options.resolution, 'dry-run': options.dryRun }
  const headers = {
    'content-type': 'application/json',
    ...(options.lenient ? { prefer: 'handling=lenient' } : {}),
  }
  const path = '/v1/enrollment/inclusion'
  if (options.dryRun) return client.send('POST', path, { query, headers, body: payroll.bytes })
  const how = JSON.stringify([
    options.resolution ?? null,
    options.lenient ?? false,
    options.again ? randomUUID() : null,
  ])
  const digest = createHash('sha256').update(how).update(payroll.bytes).digest('hex')
  for (let turn = 1; ; turn += 1) {
    const key = { 'idempotency-key': `"${digest}-${turn}"` }
    const answer = await client.send('POST', path, { query, headers: { ...headers, ...key }, body: payroll.bytes })
    if (answer.ok || answer.headers.get('idempotency-replayed') !== 'true') return answer
    await answer.arrayBuffer()
  }
}

/** The body of an answer that is about members; other refusals are thrown. */
async function bodyOf(answer: Response): Promise<Answer> {
  if (answer.ok) return (await answer.json()) as Answer
  const refused = await refusal(answer)
  const body = refused.body as Answer
  if (refused instanceof RefusedError && refused.status === 400 && Array.isArray(body.result)) return body
  throw refused
}

/** The answer of the service, each entry with its lines of the file. */
function withLines(body: Answer, { lines }: Payroll): unknown {
  const located = <T extends { index?: number }>(entries: readonly T[]) =>
    entries.map((entry) => (entry.index === undefined ? entry : { ...entry, lines: lines[entry.index] ?? [] }))
  return {
    ...body,
    ...(body.result === undefined ? {} : { result: located(body.result) }),
    ...(body.warnings === undefined ? {} : { warnings: located(body.warnings) }),
  }
}

/** A line for each member with offenses: where it stands and what is wrong, and nothing of who it is. */
function report(context: CommandContext, file: string, { lines }: Payroll, body: Answer, options: IncludeAsked): void {
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
  for (const [kind, some] of kinds) tell(context, `${some.length} times ${kind}; --warnings names the lines.`)
}
