import { InvalidArgumentError } from 'commander'
import type { MovementDraft, MovementDraftItem, RosterComparison, RosterProgress } from '@vigencia/client'
import type { OperatorRosterOptions } from '@vigencia/client/operator'
import { EXCLUSION_REASONS, PRODUCT_TYPES, START_OPTIONS } from '#kernel/enums.ts'
import { DRAFT_CLASSES, DRAFT_ITEM_STATUSES, type DraftClass } from '#kernel/movement-drafts.ts'
import { AUTOMATIC_CLASSES, LEAVING_CLASSES, ROSTER_DOUBTS, ROSTER_STATES } from '#kernel/roster-syncs.ts'
import { fileTypeOf, signatureBytes } from '#platform/tables/file-signature.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import type { ApiClient } from './api-client.ts'
import type { Ending, Values } from './command-builder.ts'
import { confirm, confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { intakeOf, intakeParameters, uploadEvidence } from './intake.ts'
import { openFile, withInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { toFile } from './save.ts'
import { requireText } from './table-file.ts'
import { say } from './language.ts'
import { cellOf, oneLine, openProgress, print, printItems, printJson, printMessage } from './terminal.ts'

/** What can be confirmed without the number of each item. */
const confirmable = ['exclusion', ...AUTOMATIC_CLASSES] as const

/** Reads words that are separated by commas. */
const wordsOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): readonly Word[] => {
    const given = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
    const known = words.filter((word) => given.includes(word))
    if (known.length === new Set(given).size) return known
    throw new InvalidArgumentError(`Words of ${words.join(', ')}, separated by commas.`)
  }

function countOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number.')
  return Number(text)
}

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  xlsx: xlsxType,
} as const
const formats = ['csv', 'ndjson', 'json'] as const

const parameters = {
  '<file>':
    'who should be covered: CSV, XLSX or NDJSON, a line for each person and product, or JSON with `members`; `-` reads standard input',
  '--company-tax-id <cnpj>': { description: 'the company', isRequired: true },
  '--states <states>': {
    description:
      'in what the list is complete, separated by commas: people, dependents, products; "" for nothing: then nobody leaves by absence',
    isRequired: true,
    parse: wordsOf(ROSTER_STATES),
  },
  '--cost-center <name...>': 'the list has only primaries of these cost centers, with their dependents',
  '--employee-company-tax-id <cnpj...>': 'the list has only primaries of these employers, with their dependents',
  '--product-type <type...>': { description: 'the list is about products of these types only', choices: PRODUCT_TYPES },
  '--product-id <id...>': 'the list is about these products only',
  '--as-of <date>': 'the day that the list shows, up to 31 days ago; today by default',
  '--people-count <n>': { description: 'how many lines were counted: a list that was cut has fewer', parse: countOf },
  '--accept-doubt <doubt...>': { description: 'a doubt about the list that you answer for', choices: ROSTER_DOUBTS },
  '--automatic': 'confirm at once what the policy of the company allows',
  '--reference <text>': 'your own name for it',
  '--dry-run':
    'print what differs, and discard it; what a former list of the same people proposes is superseded by it, as by any list',
  '--confirm <classes>': {
    description: `confirm what is complete of these classes, separated by commas: ${confirmable.join(', ')}; without it everything stays proposed`,
    parse: wordsOf(confirmable),
  },
  '--start-option <option>': { description: 'of inclusions without one', choices: START_OPTIONS },
  '--start-date <date>': 'of changes of plan without one',
  '--end-date <date>': 'of exclusions without one: the last day covered',
  '--exclusion-reason <reason>': { description: 'of exclusions without one', choices: EXCLUSION_REASONS },
  '--guard-people <n>': {
    description: 'how many people are excluded, where they are more than usual',
    parse: countOf,
  },
  '--guard-reason <text>': 'why they are',
  '--format <format>': { description: 'when neither the name nor the content shows it', choices: formats },
  '--sheet <name>': 'XLSX: the sheet; without it all that have the columns',
  '--output <file>': 'write everything that differs to a file as NDJSON, a line for each person and act',
  '--yes': 'exclude people without asking',
  ...intakeParameters,
} as const

type SyncValues = Values<typeof parameters>

/** `vigencia roster sync`. */
export const rosterSyncCommand = apiCommand({
  name: 'sync',
  description: 'compare a list of who should be covered with who is, and confirm what differs',
  examples: {
    'roster sync payroll.csv --company-tax-id 12ABC34501DE35 --states people,products --dry-run':
      'only shows what differs',
    'roster sync payroll.ndjson --company-tax-id 12ABC34501DE35 --states people,products --start-option on-next-billing-period --confirm inclusion,correction':
      'every night: exclusions are left to somebody',
    'roster sync payroll.csv --company-tax-id 12ABC34501DE35 --states people --confirm exclusion --end-date 2026-11-30 --exclusion-reason resignation':
      'asks before it excludes who is absent',
    'roster sync joiners.csv --company-tax-id 12ABC34501DE35 --states "" --medium email --received-at 2026-12-04T18:40:00-03:00 --requester-name "Paula Andrade"':
      'as an operator: a list that a company sent, of which nobody leaves by absence',
  },
  parameters,
  api: 'partner-first',
  run: (values, client) => withInput(values.file, (path, name) => syncList(path, name, values, client)),
})

async function syncList(path: string, name: string, values: SyncValues, client: ApiClient): Promise<Ending> {
  const { dryRun, json, yes } = values
  if (dryRun && (values.confirm !== undefined || values.automatic)) {
    throw new CommandError(
      'usage',
      say`A dry run confirms nothing.`,
      say`Use --dry-run without --confirm and --automatic.`,
    )
  }
  await confirmOverwrite(values.output, yes)
  const comparison = await compare(path, name, values, client)
  const { sync } = comparison
  const before = comparison.draft
  let found: Found
  try {
    found = await readItems(comparison, values)
  } finally {
    // Also after Ctrl-C, which ends the other calls.
    const signal = AbortSignal.timeout(10_000)
    if (dryRun && before?.status === 'open') await comparison.discard({ reason: 'Dry run' }, { signal })
  }
  if (!json) printComparison(comparison, before, found, values)
  if (values.confirm !== undefined && found.confirmed > 0) await confirmClasses(comparison, found, values, client)
  const after = (dryRun ? before : comparison.draft) ?? null
  if (json) {
    const { explanations, needs } = found
    const counted = (name: string, counts: Counts) => [...counts].map(([value, items]) => ({ [name]: value, items }))
    const lists = { explanations: counted('explanation', explanations), needs: counted('need', needs) }
    printJson({ result: { 'roster-sync': sync, 'movement-draft': after, ...lists } })
  } else printOutcome(after, found, values)
  const isDoubtful = sync.doubts.some(({ doubt }) => values.acceptDoubt?.includes(doubt) !== true)
  if (isDoubtful || (sync['refused-lines'] ?? 0) > 0 || countOfStatus(after, 'refused') > 0 || found.offending > 0)
    return 'doubtful'
  return countOfStatus(after, 'proposed') > 0 ? 'left' : 'ok'
}

/** Sends the list, and shows the progress until it is compared. */
async function compare(path: string, name: string, values: SyncValues, client: ApiClient): Promise<RosterComparison> {
  const { costCenter, employeeCompanyTaxId, productType, productId, startOption, evidence = [] } = values
  const file = await openFile(path)
  const format = formatOf(name, Buffer.from(await file.slice(0, 4_096).arrayBuffer()), values.format)
  const intake = intakeOf(client.api, values)
  const documents = evidence.length === 0 ? undefined : await uploadEvidence(client, evidence)
  const progress = openProgress(process.stderr)
  const options = {
    companyTaxId: values.companyTaxId ?? '',
    states: values.states,
    within: {
      'cost-centers': costCenter,
      'employee-company-tax-ids': employeeCompanyTaxId,
      'product-types': productType,
      'product-ids': productId,
    },
    asOf: values.asOf,
    peopleCount: values.peopleCount,
    ...(startOption && { defaults: { 'start-option': startOption } }),
    acceptDoubts: values.acceptDoubt,
    automatic: values.automatic,
    reference: values.reference,
    ...(intake && { intake: { ...intake, documents } }),
    contentType: types[format],
    fileName: name.replace(/^.*[\\/]/, ''),
    sheet: values.sheet,
    onProgress: ({ phase, done, of }: RosterProgress) => {
      // In a pipe each step is a line.
      if (phase === 'sending') progress.show(of === null ? 0 : Math.floor((done * 100) / of), 100, say`% sent`)
      else progress.show(done, of, phase === 'reading' ? say`lines read` : say`people compared`)
    },
  }
  try {
    return await client.sdk.roster.sync(file, options as unknown as OperatorRosterOptions)
  } finally {
    progress.end()
  }
}

/** @throws CommandError that says what the file is instead of a list. */
function formatOf(name: string, head: Buffer, given: (typeof formats)[number] | undefined): keyof typeof types {
  if (fileTypeOf(head.subarray(0, signatureBytes)) === 'xlsx') return 'xlsx'
  requireText(name, head)
  const ending = /\.(csv|txt|ndjson|jsonl|json)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = { csv: 'csv', txt: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' } as const
  return (
    given ??
    (named as Readonly<Record<string, 'csv' | 'ndjson' | 'json'>>)[ending] ??
    (head.toString().trimStart().startsWith('{') ? 'ndjson' : 'csv')
  )
}

type Counts = ReadonlyMap<string, number>

/** What the items of a comparison say together. */
interface Found {
  readonly explanations: Counts
  /** For what is proposed. */
  readonly needs: Counts
  /** The first ones of each class. */
  readonly first: ReadonlyMap<DraftClass, readonly MovementDraftItem[]>
  /** How many items can be confirmed of the classes of `--confirm`, and the numbers of those that cannot. */
  readonly confirmed: number
  readonly except: readonly number[]
  /** The people who would be excluded by it. */
  readonly leaving: ReadonlySet<string>
  /** How many are proposed that the rules refuse. */
  readonly offending: number
}

const firstOfClass = 5

/** Reads all that differs, and writes it to the file of `--output`. */
async function readItems(comparison: RosterComparison, values: SyncValues): Promise<Found> {
  const explanations = new Map<string, number>()
  const needs = new Map<string, number>()
  const first = new Map<DraftClass, MovementDraftItem[]>()
  const except: number[] = []
  const leaving = new Set<string>()
  let [confirmed, offending] = [0, 0]
  const { startOption, startDate, endDate, exclusionReason } = values
  const options = {
    'start-option': startOption,
    'start-date': startDate,
    'end-date': endDate,
    'exclusion-reason': exclusionReason,
  }
  const given = Object.entries(options).flatMap(([need, value]) => (value === undefined ? [] : [need]))
  const classes: readonly DraftClass[] = values.confirm ?? []
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  async function* lines() {
    for await (const item of comparison.items()) {
      yield `${JSON.stringify(item)}\n`
      const some = first.get(item.class) ?? []
      if (some.length < firstOfClass) first.set(item.class, [...some, item])
      if (item.explanation !== null) count(explanations, item.explanation)
      if (item.status !== 'proposed') continue
      for (const need of item.needs) count(needs, need)
      if (item.offenses.length > 0) offending += 1
      if (!classes.includes(item.class) || item['by-number-only']) continue
      if (item.offenses.length > 0 || item.needs.some((need) => !given.includes(need))) {
        except.push(item.number)
        continue
      }
      confirmed += 1
      if (LEAVING_CLASSES.includes(item.class)) leaving.add(item['tax-id'] ?? '')
    }
  }
  if (values.output === undefined) for await (const _ of lines());
  else await toFile(lines(), values.output)
  return { explanations, needs, first, confirmed, except, leaving, offending }
}

async function confirmClasses(
  comparison: RosterComparison,
  { leaving, except }: Found,
  values: SyncValues,
  client: ApiClient,
): Promise<void> {
  const { endDate, exclusionReason, startOption, startDate, guardPeople, guardReason } = values
  if (leaving.size > 0)
    await confirm(
      leaving.size === 1 ? say`1 person is excluded.` : say`${leaving.size} people are excluded.`,
      values.yes,
    )
  const body = {
    classes: values.confirm,
    except,
    'start-option': startOption,
    'start-date': startDate,
    ...((endDate ?? exclusionReason) !== undefined && {
      'exclusion-details': { 'end-date': endDate, 'exclusion-reason': exclusionReason },
    }),
    ...((guardPeople ?? guardReason) !== undefined && { guard: { people: guardPeople, reason: guardReason } }),
  }
  try {
    await comparison.confirm(body as unknown as Parameters<RosterComparison['confirm']>[0])
  } catch (cause) {
    const error = client.errorOf(cause)
    if (!(error instanceof CommandError)) throw error
    const { code, people } = error.body as { readonly code?: string; readonly people?: number }
    if (code !== 'guard-not-confirmed') throw error
    const next = say`If it is meant, repeat the command with --guard-people ${people} --guard-reason TEXT`
    throw new CommandError('doubtful', error.message, next, { body: error.body })
  }
}

const statusesOf = (draft: MovementDraft | null) =>
  DRAFT_ITEM_STATUSES.filter((status) => countOfStatus(draft, status) > 0)

const countOfStatus = (draft: MovementDraft | null, status: (typeof DRAFT_ITEM_STATUSES)[number]): number =>
  (draft?.counts ?? []).reduce((sum, counts) => sum + counts[status], 0)

/** Prints what is doubtful about the list, how many differences it has, and the first of them. */
function printComparison(
  { sync }: RosterComparison,
  draft: MovementDraft | null,
  { explanations, needs, first }: Found,
  { acceptDoubt = [] }: SyncValues,
): void {
  for (const { doubt, found, limit } of sync.doubts) {
    print(say`doubt ${doubt}: ${found}, limit ${limit}` + (acceptDoubt.includes(doubt) ? say`, accepted` : ''))
  }
  for (const { 'product-name': product, covered, leaving, 'is-over': isOver } of draft?.guard ?? []) {
    if (isOver) print(oneLine(say`guard: ${leaving} of ${covered} people would leave ${product}`))
  }
  printCounts(draft)
  for (const [explanation, items] of explanations) print(`${explanation}: ${items}`)
  for (const [need, items] of needs) print(say`needs ${need}: ${items}`)
  const items = DRAFT_CLASSES.flatMap((one) => first.get(one) ?? [])
  if (items.length > 0) printItems(items, itemColumns)
  const { 'roster-sync-id': id, lines, 'refused-lines': refused, unchanged } = sync
  printMessage(
    say`Roster sync ${id}: ${lines} lines, ${refused} refused; ${unchanged} people are as the list has them.`,
  )
}

/** A row for each class, a column for each status that any has. */
function printCounts(draft: MovementDraft | null): void {
  if (draft === null || draft.counts.length === 0) return
  const statuses = statusesOf(draft).map((status) => [status.toUpperCase(), status])
  printItems(draft.counts, { CLASS: 'class', ...Object.fromEntries(statuses) })
}

const itemColumns = {
  NUMBER: 'number',
  CLASS: 'class',
  'TAX-ID': 'tax-id',
  NAME: 'name',
  PRODUCT: 'product-name',
  LINES: 'lines',
  DIFFERS: ({ differences }: MovementDraftItem) =>
    differences
      .map((one) => `${one.field}: ${cellOf(one, 'here') || '-'} > ${cellOf(one, 'stated') || '-'}`)
      .join('; '),
  WHY: 'explanation',
  NEEDS: ({ needs, offenses }: MovementDraftItem) => [...needs, ...offenses].join(' '),
}

function printOutcome(draft: MovementDraft | null, { confirmed }: Found, values: SyncValues): void {
  if (draft === null) return printMessage(say`Nothing differs.`)
  if (values.dryRun) return printMessage(say`A dry run: nothing was kept.`)
  if (values.confirm !== undefined && confirmed === 0) printMessage(say`Nothing of these classes could be confirmed.`)
  if (confirmed > 0) printCounts(draft)
  for (const id of draft['request-ids']) print(`request-id ${id}`)
  const waiting = countOfStatus(draft, 'approval')
  const who = draft.approval === 'second-operator' ? say`another operator` : say`the broker`
  if (waiting > 0) printMessage(waiting === 1 ? say`1 waits for ${who}.` : say`${waiting} wait for ${who}.`)
  if (countOfStatus(draft, 'proposed') === 0) return
  printMessage(say`See what is left: vigencia movement-draft items ${draft['draft-id']} --status proposed`)
}
