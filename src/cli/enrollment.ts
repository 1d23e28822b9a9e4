import { text as textOf } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type Asked, calling, group } from './command-builder.ts'
import { type Door, everyItem, openDoor, pathOf } from './api-client.ts'
import { CommandError, RefusedError } from './errors.ts'
import { oneLine, print, printJson, printTable, tell } from './terminal.ts'
import type { World } from './context.ts'

interface ListAsked extends Asked {
  readonly status?: string
  readonly type?: string
  readonly companyTaxId?: string
  readonly carrier?: string
  readonly memberTaxId?: string
  readonly ids?: true
}

interface MoveAsked extends Asked {
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
export function enrollmentCommand(world: World): Command {
  const list = calling('list', 'list movements, oldest first (operator)', [
    ['enrollment list --status created', 'the queue'],
    ['enrollment list --status created --ids | vigencia enrollment complete -', 'completes all of it'],
  ])
    .option('--status <status>', 'only those in this status')
    .option('--type <type>', 'inclusion, exclusion or alteration')
    .option('--company-tax-id <cnpj>', 'only of this company')
    .option('--carrier <name>', 'only of this carrier')
    .option('--member-tax-id <cpf>', 'only of this member')
    .addOption(new Option('--ids', 'print only their ids, one a line').conflicts('json'))
    .action((asked: ListAsked) => listEnrollments(world, asked))
  const complete = moving(world, 'complete', 'completed', [
    [
      'enrollment complete 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --card-number "0045 1120 7788"',
      'as the carrier answered',
    ],
  ])
    .option('--start-date <date>', 'inclusion: the day the carrier gave')
    .option('--end-date <date>', 'exclusion: the last day covered')
    .option('--card-number <number>', 'inclusion: number of the card')
    .option('--reason <text>', 'a note for the history')
  const reject = moving(world, 'reject', 'rejected', [
    [
      'enrollment reject 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --reason "Refused by the carrier"',
      'the partner reads the reason',
    ],
  ]).requiredOption('--reason <text>', 'why; the partner reads it')
  return group('enrollment', 'movements and their resolution', [list, complete, reject])
}

async function listEnrollments(world: World, asked: ListAsked): Promise<void> {
  const items = everyItem<Enrollment>(openDoor(world, 'operator', asked), '/operator/v1/enrollment', {
    status: asked.status,
    'enrollment-type': asked.type,
    'company-tax-id': asked.companyTaxId,
    'carrier-name': asked.carrier,
    'member-tax-id': asked.memberTaxId,
  })
  if (asked.ids) {
    for await (const one of items) print(world, one.id)
    return
  }
  const all = await Array.fromAsync(items)
  if (asked.json) return printJson(world, { result: all })
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
  printTable(world, headings, rows)
}

function moving(world: World, name: string, status: string, examples: readonly (readonly [string, string])[]): Command {
  return calling(name, `move enrollments to \`${status}\`, primaries before their dependents (operator)`, examples)
    .argument('<enrollment-id...>', 'one or many; `-` reads them from standard input, one a line')
    .action((ids: string[], asked: MoveAsked) => moveAll(world, status, ids, asked))
}

const mostAtOnce = 1_000

interface Moved {
  readonly 'enrollment-id': string
  readonly status?: string
  readonly error?: string
}

async function moveAll(world: World, status: string, given: string[], asked: MoveAsked): Promise<void> {
  const typed =
    given.length === 1 && given[0] === '-' ? (await textOf(world.stdin)).split(/\s+/).filter(Boolean) : given
  if (typed.length === 0)
    throw new CommandError('usage', 'No enrollment was named.', { next: 'vigencia enrollment list --ids' })
  const body = {
    status,
    reason: asked.reason,
    'start-date': asked.startDate,
    'end-date': asked.endDate,
    'card-number': asked.cardNumber,
  }
  const door = openDoor(world, 'operator', asked)
  const moved = typed.length === 1 ? await moveOne(door, typed[0] ?? '', body) : await moveMany(door, typed, body)
  const failed = moved.filter((one) => one.error !== undefined)
  if (failed.length > 0) world.ending = failed.length === moved.length ? 'refused' : 'inPart'
  if (asked.json) return printJson(world, { result: moved })
  for (const one of failed) print(world, `${one['enrollment-id']}\t${oneLine(one.error ?? '')}`)
  tell(world, `${moved.length - failed.length} ${status}, ${failed.length} refused.`)
}

async function moveOne(door: Door, id: string, body: object): Promise<Moved[]> {
  const answer = await door.call<{ result: Enrollment }>('POST', pathOf`/operator/v1/enrollment/${id}/transition`, {
    body,
  })
  return [{ 'enrollment-id': id, status: answer.result.status }]
}

/** In calls of 1,000. A dependent whose primary came in a later call is asked for once more at the end. */
async function moveMany(door: Door, ids: readonly string[], body: object): Promise<Moved[]> {
  const results = new Map<string, Moved>()
  const pass = async (some: readonly string[]) => {
    for (let from = 0; from < some.length; from += mostAtOnce) {
      const chunk = { ...body, 'enrollment-ids': some.slice(from, from + mostAtOnce) }
      const answer = await door.call<{ result: Moved[] }>('POST', '/operator/v1/enrollment/transition', { body: chunk })
      for (const one of answer.result) results.set(one['enrollment-id'], one)
    }
  }
  try {
    await pass(ids)
    const waiting = [...results.values()].filter((one) => one.error === 'Primary member is not active in this product')
    if (ids.length > mostAtOnce) await pass(waiting.map((one) => one['enrollment-id']))
  } catch (error) {
    // What was moved before stays moved.
    if (!(error instanceof RefusedError) || results.size === 0) throw error
    for (const id of ids) if (!results.has(id)) results.set(id, { 'enrollment-id': id, error: error.message })
  }
  return [...results.values()]
}
