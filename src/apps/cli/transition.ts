import type { Item, RequestBody } from '@vigencia/client'
import type { ApiClient } from './api-client.ts'
import type { CommandDeclaration, Ending, Values } from './command-builder.ts'
import { confirm, confirmDates, confirmParameters } from './confirm.ts'
import { followJob } from './decision-job.ts'
import { CommandError } from './errors.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { oneLine, print, printJson, printMessage } from './terminal.ts'

/** More movements than this are resolved only after a question. */
export const maxWithoutConfirm = 20

const ids = {
  '<enrollment-id...>': 'one or many; `-` reads them from standard input, one a line',
  ...confirmParameters,
  '--yes': 'do not ask before what cannot be undone; a date more than two years from today is meant',
} as const

const fields = {
  '--start-date <date>': 'completing an inclusion or a change: the start date of the carrier; one movement only',
  '--end-date <date>': 'completing an exclusion: the last day covered; one movement only',
  '--card-number <number>': 'completing an inclusion or a change: number of the card; one movement only',
  '--reason <text>': 'for the history; the partner reads it; required to reject, and for the pending statuses',
} as const

const example = '01995e0c-7011-7a0e-8c44-0e9b1d2f3a45'
const moving = (status: string) => `move enrollments to \`${status}\`, primaries before their dependents (operator)`

/** The statuses that an operator can move to. */
const targets = [
  'broker-processing',
  'carrier-processing',
  'pending-documents',
  'pending-correction',
  'completed',
  'rejected',
  'cancelled',
] as const

/** `vigencia enrollment transition`, `complete`, `reject`, `cancel`. */
export const transitionCommands: readonly CommandDeclaration[] = [
  apiCommand({
    name: 'transition',
    description: 'move enrollments to any status (operator)',
    examples: {
      [`enrollment transition carrier-processing ${example} --carrier-protocol 2026-118840`]: 'the carrier has it',
      [`enrollment transition pending-documents ${example} --reason "Copy is cut off" --item document:marriage-certificate:"Both pages, please"`]:
        'the partner reads what is missing',
    },
    parameters: {
      '<status>': targets.join(', '),
      ...ids,
      ...fields,
      '--carrier-protocol <protocol>': 'carrier-processing: what the carrier calls them by',
      '--item <item...>': 'pending statuses: what is missing, as document:TYPE:MESSAGE or field:NAME:MESSAGE',
    },
    api: 'operator',
    run: (values, client) =>
      moveAll(client, values, {
        status: readTarget(values.status),
        'carrier-protocol': values.carrierProtocol,
        ...itemsOf(values.item),
      }),
  }),
  apiCommand({
    name: 'complete',
    description: moving('completed'),
    examples: {
      [`enrollment complete ${example} --card-number "0045 1120 7788"`]: 'with the data of the carrier',
      'enrollment complete - --dry-run < ids.txt': 'shows which would complete, and why others would not',
    },
    parameters: { ...ids, ...fields },
    api: 'operator',
    run: (values, client) => moveAll(client, values, { status: 'completed' }),
  }),
  apiCommand({
    name: 'reject',
    description: moving('rejected'),
    examples: { [`enrollment reject ${example} --reason "Refused by the carrier"`]: 'the partner reads the reason' },
    parameters: { ...ids, '--reason <text>': { description: 'why; the partner reads it', isRequired: true } },
    api: 'operator',
    run: (values, client) => moveAll(client, values, { status: 'rejected' }),
  }),
  apiCommand({
    name: 'cancel',
    description: moving('cancelled'),
    examples: { [`enrollment cancel ${example} --reason "Sent twice"`]: 'refused once it has reached the carrier' },
    parameters: { ...ids, '--reason <text>': 'why; the partner reads it' },
    api: 'operator',
    run: (values, client) => moveAll(client, values, { status: 'cancelled' }),
  }),
]

interface Transition {
  readonly status: (typeof targets)[number]
  readonly 'pending-items'?: readonly object[]
  readonly 'carrier-protocol'?: string | undefined
  readonly reason?: string | undefined
  readonly confirm?: true | undefined
}

type Moved = Pick<Item<'decideEnrollments'>, 'enrollment-id' | 'status' | 'error'>

function readTarget(text: string): Transition['status'] {
  const target = targets.find((target) => target === text)
  if (target !== undefined) return target
  throw new CommandError(
    'usage',
    say`${oneLine(text)} is no status to move to.`,
    say`It is one of ${targets.join(', ')}.`,
  )
}

function itemsOf(texts: readonly string[] | undefined): Pick<Transition, 'pending-items'> {
  if (texts === undefined) return {}
  const items = texts.map((text) => {
    const [, kind, name, message] = /^(document|field):([\w-]+):(.+)$/s.exec(text) ?? []
    if (kind === undefined || name === undefined || message === undefined) {
      const next = say`Write it as document:TYPE:MESSAGE or field:NAME:MESSAGE.`
      throw new CommandError('usage', say`${oneLine(text)} is no item.`, next)
    }
    return kind === 'document' ? { kind, 'document-type': name, message } : { kind, field: name, message }
  })
  return { 'pending-items': items }
}

type MoveValues = Values<typeof ids> &
  Partial<Pick<Values<typeof fields>, 'startDate' | 'endDate' | 'cardNumber' | 'reason'>>

async function moveAll(client: ApiClient<'operator'>, values: MoveValues, transition: Transition): Promise<Ending> {
  const { startDate, endDate, cardNumber, reason, yes, dryRun, json } = values
  const typed = await readIds(values.enrollmentId)
  const [first = ''] = typed
  const ofOne = { 'start-date': startDate, 'end-date': endDate, 'card-number': cardNumber }
  const given = Object.entries(ofOne).find(([, value]) => value !== undefined)
  if (given !== undefined && typed.length > 1) {
    const next = say`Move one at a time, or give each its own in a file: vigencia enrollment decide FILE`
    throw new CommandError('usage', say`--${given[0]} is that of one movement, and ${typed.length} are named.`, next)
  }
  const body = { ...transition, reason, ...ofOne }
  if (!dryRun && typed.length > maxWithoutConfirm) {
    await confirm(say`${typed.length} movements would be moved to ${body.status}, which cannot be undone.`, yes)
  }
  const moved = dryRun
    ? await preview(client, typed, { ...body, confirm: yes })
    : typed.length === 1
      ? await moveOne(client, first, body, yes)
      : await moveMany(client, typed, body, json)
  return report(moved, body.status, dryRun, json)
}

/** Prints the movements that were refused. */
function report(moved: readonly Moved[], status: string, dryRun: true | undefined, json: true | undefined): Ending {
  const failed = moved.filter((result) => result.error !== undefined)
  if (json) printJson({ ...(dryRun && { 'dry-run': true }), result: moved })
  else {
    for (const result of failed) print(`${result['enrollment-id']}\t${oneLine(result.error ?? '')}`)
    const done = moved.length - failed.length
    printMessage(
      dryRun
        ? say`Nothing was done. ${done} would be ${status}, ${failed.length} would be refused.`
        : say`${done} ${status}, ${failed.length} refused.`,
    )
  }
  if (failed.length > 0) return failed.length === moved.length || dryRun ? 'refused' : 'inPart'
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The ids of the arguments, or of the lines of standard input. @throws CommandError that names the line of a malformed one. */
async function readIds(given: readonly string[]): Promise<string[]> {
  const isStdin = given.length === 1 && given[0] === '-'
  const lines = isStdin ? (await readInput('-')).toString().split('\n') : given
  const ids = lines.map((line, index) => ({ id: line.trim(), where: isStdin ? `stdin line ${index + 1}: ` : '' }))
  const named = ids.filter(({ id }) => id !== '')
  if (named.length === 0)
    throw new CommandError('usage', say`No enrollment was named.`, 'vigencia enrollment list --ids')
  const bad = named.find(({ id }) => !uuid.test(id))
  if (bad === undefined) return named.map(({ id }) => id)
  const message = say`${bad.where}"${oneLine(bad.id).slice(0, 60)}" is not an enrollment id.`
  throw new CommandError('usage', message, say`Nothing was done. vigencia enrollment list --ids prints ids.`)
}

async function moveOne(
  client: ApiClient<'operator'>,
  id: string,
  body: Transition,
  yes: true | undefined,
): Promise<Moved[]> {
  const { result } = await confirmDates(client, yes, (confirm) =>
    client.sdk.operations.request('moveEnrollment', { path: [id], json: { ...body, confirm } }),
  )
  return [{ 'enrollment-id': id, status: result.status }]
}

const maxAtOnce = 10_000

/** In calls of 10,000. Dependents whose primary was in a later call are retried at the end. */
async function moveMany(
  client: ApiClient<'operator'>,
  ids: readonly string[],
  transition: Transition,
  json: true | undefined,
): Promise<Moved[]> {
  const results = new Map<string, Item<'moveEnrollments'>>()
  const move = async (some: readonly string[]) => {
    for (let from = 0; from < some.length; from += maxAtOnce) {
      const body = { ...transition, 'enrollment-ids': some.slice(from, from + maxAtOnce) }
      const result = await followJob(json, (following) =>
        client.sdk.enrollments.transitionAll(body as RequestBody<'moveEnrollments'>, following),
      )
      for (const moved of result) results.set(moved['enrollment-id'], moved)
    }
  }
  try {
    await move(ids)
    const waiting = [...results.values()].filter((result) => result.code === 'primary-member-not-active')
    if (ids.length > maxAtOnce) await move(waiting.map((target) => target['enrollment-id']))
  } catch (cause) {
    const error = client.errorOf(cause)
    // The earlier calls have taken effect.
    if (!(error instanceof CommandError) || error.httpStatus === null || results.size === 0) throw error
    for (const id of ids) if (!results.has(id)) results.set(id, { 'enrollment-id': id, error: error.message })
  }
  return [...results.values()]
}

/** What the movements would become: a dry run of decisions. */
async function preview(
  client: ApiClient<'operator'>,
  ids: readonly string[],
  transition: Transition,
): Promise<Moved[]> {
  const { 'pending-items': _items, ...decision } = transition
  const lines = ids.map((id) => `${JSON.stringify({ 'enrollment-id': id, ...decision })}\n`)
  const options = { 'dry-run': true, type: 'application/x-ndjson' } as const
  const { result } = await client.sdk.enrollments.decide(Buffer.from(lines.join('')), options)
  return result
}
