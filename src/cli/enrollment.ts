import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type CommandOptions, apiCommand, group } from './command-builder.ts'
import { type ApiClient, everyItem, openApiClient, pathOf } from './api-client.ts'
import { CommandError, ResponseError } from './errors.ts'
import { oneLine, print, printJson, printTable, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface ListOptions extends CommandOptions {
  readonly status?: string
  readonly type?: string
  readonly companyTaxId?: string
  readonly carrier?: string
  readonly memberTaxId?: string
  readonly ids?: true
}

interface MoveOptions extends CommandOptions {
  readonly reason?: string
  readonly startDate?: string
  readonly endDate?: string
  readonly cardNumber?: string
}

interface Enrollment {
  readonly id: string
  readonly 'enrollment-type': string
  readonly status: string
  readonly 'member-type': string
  readonly 'company-tax-id': string
  readonly 'product-name': string
  readonly 'created-at': string
}

/** `vigencia enrollment list`, `complete`, `reject`. */
export function enrollmentCommand(context: CommandContext): Command {
  const list = apiCommand('list', 'list movements, oldest first (operator)', [
    ['enrollment list --status created', 'the queue'],
    ['enrollment list --status created --ids | vigencia enrollment complete -', 'completes all of them'],
  ])
    .option('--status <status>', 'only movements in this status')
    .option('--type <type>', 'inclusion, exclusion or alteration')
    .option('--company-tax-id <cnpj>', 'only of this company')
    .option('--carrier <name>', 'only of this carrier')
    .option('--member-tax-id <cpf>', 'only of this member')
    .addOption(new Option('--ids', 'print only their ids, one a line').conflicts('json'))
    .action((options: ListOptions) => listEnrollments(context, options))
  const complete = moving(context, 'complete', 'completed', [
    [
      'enrollment complete 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --card-number "0045 1120 7788"',
      'with the data of the carrier',
    ],
  ])
    .option('--start-date <date>', 'inclusion: the start date of the carrier')
    .option('--end-date <date>', 'exclusion: the last day covered')
    .option('--card-number <number>', 'inclusion: number of the card')
    .option('--reason <text>', 'a note for the history')
  const reject = moving(context, 'reject', 'rejected', [
    [
      'enrollment reject 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --reason "Refused by the carrier"',
      'the partner reads the reason',
    ],
  ]).requiredOption('--reason <text>', 'why; the partner reads it')
  return group('enrollment', 'movements and their resolution', [list, complete, reject])
}

async function listEnrollments(context: CommandContext, options: ListOptions): Promise<void> {
  const items = everyItem<Enrollment>(openApiClient(context, 'operator', options), '/operator/v1/enrollment', {
    status: options.status,
    'enrollment-type': options.type,
    'company-tax-id': options.companyTaxId,
    'carrier-name': options.carrier,
    'member-tax-id': options.memberTaxId,
  })
  if (options.ids) {
    for await (const one of items) print(context, one.id)
    return
  }
  const all = await Array.fromAsync(items)
  if (options.json) return printJson(context, { result: all })
  const headings = ['ENROLLMENT-ID', 'TYPE', 'STATUS', 'MEMBER', 'COMPANY-TAX-ID', 'PRODUCT', 'CREATED-AT']
  const rows = all.map((one) => [
    one.id,
    one['enrollment-type'],
    one.status,
    one['member-type'],
    one['company-tax-id'],
    one['product-name'],
    one['created-at'],
  ])
  printTable(context, headings, rows)
}

function moving(
  context: CommandContext,
  name: string,
  status: string,
  examples: readonly (readonly [string, string])[],
): Command {
  return apiCommand(name, `move enrollments to \`${status}\`, primaries before their dependents (operator)`, examples)
    .argument('<enrollment-id...>', 'one or many; `-` reads them from standard input, one a line')
    .action((ids: string[], options: MoveOptions) => moveAll(context, status, ids, options))
}

const maxAtOnce = 1_000

interface Moved {
  readonly 'enrollment-id': string
  readonly status?: string
  readonly error?: string
}

async function moveAll(context: CommandContext, status: string, given: string[], options: MoveOptions): Promise<void> {
  const typed =
    given.length === 1 && given[0] === '-' ? (await textOf(context.stdin)).split(/\s+/).filter(Boolean) : given
  if (typed.length === 0)
    throw new CommandError('usage', 'No enrollment was named.', { next: 'vigencia enrollment list --ids' })
  const body = {
    status,
    reason: options.reason,
    'start-date': options.startDate,
    'end-date': options.endDate,
    'card-number': options.cardNumber,
  }
  const client = openApiClient(context, 'operator', options)
  const moved = typed.length === 1 ? await moveOne(client, typed[0] ?? '', body) : await moveMany(client, typed, body)
  const failed = moved.filter((one) => one.error !== undefined)
  if (failed.length > 0) context.exitStatus = failed.length === moved.length ? 'refused' : 'inPart'
  if (options.json) return printJson(context, { result: moved })
  for (const one of failed) print(context, `${one['enrollment-id']}\t${oneLine(one.error ?? '')}`)
  printMessage(context, `${moved.length - failed.length} ${status}, ${failed.length} refused.`)
}

async function moveOne(client: ApiClient, id: string, body: object): Promise<Moved[]> {
  const response = await client.call<{ result: Enrollment }>('POST', pathOf`/operator/v1/enrollment/${id}/transition`, {
    body,
  })
  return [{ 'enrollment-id': id, status: response.result.status }]
}

/** In calls of 1,000. Dependents whose primary was in a later call are retried at the end. */
async function moveMany(client: ApiClient, ids: readonly string[], body: object): Promise<Moved[]> {
  const results = new Map<string, Moved>()
  const transition = async (some: readonly string[]) => {
    for (let from = 0; from < some.length; from += maxAtOnce) {
      const chunk = { ...body, 'enrollment-ids': some.slice(from, from + maxAtOnce) }
      const response = await client.call<{ result: Moved[] }>('POST', '/operator/v1/enrollment/transition', {
        body: chunk,
      })
      for (const one of response.result) results.set(one['enrollment-id'], one)
    }
  }
  try {
    await transition(ids)
    const waiting = [...results.values()].filter((one) => one.error === 'Primary member is not active in this product')
    if (ids.length > maxAtOnce) await transition(waiting.map((one) => one['enrollment-id']))
  } catch (error) {
    // The earlier calls have taken effect.
    if (!(error instanceof ResponseError) || results.size === 0) throw error
    for (const id of ids) if (!results.has(id)) results.set(id, { 'enrollment-id': id, error: error.message })
  }
  return [...results.values()]
}
