import { type ApiClient, everyItem, pathOf } from './api-client.ts'
import type { CommandDeclaration, Ending } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { oneLine, print, printItems, printJson, printMessage } from './terminal.ts'

interface Moved {
  readonly 'enrollment-id': string
  readonly status?: string
  readonly error?: string
}

const ids = { '<enrollment-id...>': 'one or many; `-` reads them from standard input, one a line' } as const
const moving = (status: string) => `move enrollments to \`${status}\`, primaries before their dependents (operator)`

/** `vigencia enrollment list`, `complete`, `reject`. */
export const enrollmentCommand: CommandDeclaration = {
  name: 'enrollment',
  description: 'movements and their resolution',
  commands: [
    apiCommand({
      name: 'list',
      description: 'list movements, oldest first (operator)',
      examples: {
        'enrollment list --status created': 'the queue',
        'enrollment list --status created --ids | vigencia enrollment complete -': 'completes all of them',
      },
      parameters: {
        '--status <status>': 'only movements in this status',
        '--type <type>': 'inclusion, exclusion or alteration',
        '--company-tax-id <cnpj>': 'only of this company',
        '--carrier <name>': 'only of this carrier',
        '--member-tax-id <cpf>': 'only of this member',
        '--ids': { description: 'print only their ids, one a line', conflicts: 'json' },
      },
      api: 'operator',
      async run({ status, type, companyTaxId, carrier, memberTaxId, ids: onlyIds, json }, client) {
        const items = everyItem<{ id: string }>(client, '/operator/v1/enrollment', {
          status,
          'enrollment-type': type,
          'company-tax-id': companyTaxId,
          'carrier-name': carrier,
          'member-tax-id': memberTaxId,
        })
        if (onlyIds) for await (const one of items) print(one.id)
        else printItems(await Array.fromAsync(items), columns, json)
      },
    }),
    apiCommand({
      name: 'complete',
      description: moving('completed'),
      examples: {
        'enrollment complete 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --card-number "0045 1120 7788"':
          'with the data of the carrier',
      },
      parameters: {
        ...ids,
        '--start-date <date>': 'inclusion: the start date of the carrier',
        '--end-date <date>': 'exclusion: the last day covered',
        '--card-number <number>': 'inclusion: number of the card',
        '--reason <text>': 'a note for the history',
      },
      api: 'operator',
      run: ({ enrollmentId, json, startDate, endDate, cardNumber, reason }, client) =>
        moveAll(client, enrollmentId, json, {
          status: 'completed',
          reason,
          'start-date': startDate,
          'end-date': endDate,
          'card-number': cardNumber,
        }),
    }),
    apiCommand({
      name: 'reject',
      description: moving('rejected'),
      examples: {
        'enrollment reject 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --reason "Refused by the carrier"':
          'the partner reads the reason',
      },
      parameters: { ...ids, '--reason <text>': { description: 'why; the partner reads it', isRequired: true } },
      api: 'operator',
      run: ({ enrollmentId, json, reason }, client) =>
        moveAll(client, enrollmentId, json, { status: 'rejected', reason }),
    }),
  ],
}

const columns = {
  'ENROLLMENT-ID': 'id',
  TYPE: 'enrollment-type',
  STATUS: 'status',
  MEMBER: 'member-type',
  'COMPANY-TAX-ID': 'company-tax-id',
  PRODUCT: 'product-name',
  'CREATED-AT': 'created-at',
}

const maxAtOnce = 1_000

type Transition = { readonly status: string } & Readonly<Record<string, string | undefined>>

async function moveAll(
  client: ApiClient,
  given: readonly string[],
  json: true | undefined,
  body: Transition,
): Promise<Ending> {
  const isStdin = given.length === 1 && given[0] === '-'
  const typed = isStdin ? (await readInput('-')).toString().split(/\s+/).filter(Boolean) : given
  const [first] = typed
  if (first === undefined) throw new CommandError('usage', 'No enrollment was named.', 'vigencia enrollment list --ids')
  const moved = typed.length === 1 ? await moveOne(client, first, body) : await moveMany(client, typed, body)
  const failed = moved.filter((one) => one.error !== undefined)
  if (json) printJson({ result: moved })
  else {
    for (const one of failed) print(`${one['enrollment-id']}\t${oneLine(one.error ?? '')}`)
    printMessage(`${moved.length - failed.length} ${body.status}, ${failed.length} refused.`)
  }
  if (failed.length > 0) return failed.length === moved.length ? 'refused' : 'inPart'
}

async function moveOne(client: ApiClient, id: string, body: Transition): Promise<Moved[]> {
  const path = pathOf`/operator/v1/enrollment/${id}/transition`
  const { result } = await client.call<{ result: { status: string } }>('POST', path, { body })
  return [{ 'enrollment-id': id, status: result.status }]
}

/** In calls of 1,000. Dependents whose primary was in a later call are retried at the end. */
async function moveMany(client: ApiClient, ids: readonly string[], transition: Transition): Promise<Moved[]> {
  const results = new Map<string, Moved>()
  const move = async (some: readonly string[]) => {
    for (let from = 0; from < some.length; from += maxAtOnce) {
      const body = { ...transition, 'enrollment-ids': some.slice(from, from + maxAtOnce) }
      const path = '/operator/v1/enrollment/transition'
      const { result } = await client.call<{ result: Moved[] }>('POST', path, { body })
      for (const one of result) results.set(one['enrollment-id'], one)
    }
  }
  try {
    await move(ids)
    const waiting = [...results.values()].filter((one) => one.error === 'Primary member is not active in this product')
    if (ids.length > maxAtOnce) await move(waiting.map((one) => one['enrollment-id']))
  } catch (error) {
    // The earlier calls have taken effect.
    if (!(error instanceof CommandError) || error.httpStatus === null || results.size === 0) throw error
    for (const id of ids) if (!results.has(id)) results.set(id, { 'enrollment-id': id, error: error.message })
  }
  return [...results.values()]
}
