import { RosterSyncError, VigenciaError } from './errors.ts'
import { chunksOf, rawBody, streamOf } from './files.ts'
import { listOf } from './list.ts'
import { pause } from './retry.ts'
import type { Bytes, RawBody, Transport } from './transport.ts'
import type {
  ExclusionMember,
  InclusionMember,
  MovementDraft,
  MovementDraftItem,
  Query,
  RequestBody,
  RequestOptions,
  RosterSync,
} from './types.ts'

type Body = RequestBody<'createRosterSync'>

/** A person of a list: a member of an inclusion, of whom only what is stated counts; who leaves has `exclusion-details`. */
export type RosterMember = { readonly [Field in keyof InclusionMember]?: InclusionMember[Field] | null } & {
  readonly 'exclusion-details'?: ExclusionMember['exclusion-details'] | null
  /** Instead of `products`: of a line for each person and product. */
  readonly 'product-name'?: string | null
}

/** A path, the bytes of a file, or the people, who are sent as they are read. */
export type RosterSource =
  | string
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | Iterable<RosterMember>
  | AsyncIterable<RosterMember>

export interface RosterProgress {
  readonly phase: 'sending' | 'reading' | 'comparing'
  /** Bytes, lines, or people. */
  readonly done: number
  /** null: not known. */
  readonly of: number | null
}

export interface RosterOptions extends RequestOptions {
  readonly companyTaxId: string
  /** In what the list is complete: nobody leaves by absence from a list that is not complete in people. */
  readonly states: Body['states']
  /** The people and products that the list is about; all by default. */
  readonly within?: Body['within'] | undefined
  /** The day that the list shows; today by default. */
  readonly asOf?: string | undefined
  /** How many lines were counted. */
  readonly peopleCount?: number | undefined
  readonly defaults?: Body['defaults'] | undefined
  readonly acceptDoubts?: Body['accept-doubts'] | undefined
  /** Confirms what the policy of the company allows. */
  readonly automatic?: boolean | undefined
  readonly reference?: string | undefined
  /** The media type; by default that of the ending of the name, NDJSON of people, else CSV. */
  readonly contentType?: string | undefined
  readonly fileName?: string | undefined
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined
  readonly onProgress?: ((progress: RosterProgress) => void) | undefined
}

export interface OperatorRosterOptions extends RosterOptions {
  /** How the list came. */
  readonly intake: RequestBody<'createRosterSyncOfCompany'>['intake']
}

/** The operations of an API: those of both are the same. */
const partnerIds = {
  create: 'createRosterSync',
  send: 'putRosterSyncFile',
  read: 'readRosterSync',
  cancel: 'cancelRosterSync',
  draft: 'readMovementDraft',
  items: 'listMovementDraftItems',
  confirm: 'confirmMovementDraft',
  discard: 'discardMovementDraft',
} as const
const operatorIds = {
  create: 'createRosterSyncOfCompany',
  send: 'putRosterSyncFileOfCompany',
  read: 'readAnyRosterSync',
  cancel: 'cancelAnyRosterSync',
  draft: 'readAnyMovementDraft',
  items: 'listAnyMovementDraftItems',
  confirm: 'confirmAnyMovementDraft',
  discard: 'discardAnyMovementDraft',
} as const
const ids = { partner: partnerIds, operator: operatorIds }
type Api = keyof typeof ids

/** Short lists are compared within a second: then there is one call. */
const headers = { prefer: 'wait=1' }
/** Milliseconds between two readings: the first pause, and the longest. */
const [firstInterval, interval] = [250, 2_000]

/**
 * Sends a list, and waits until it is compared.
 * @throws RosterSyncError for a list that cannot be compared.
 */
export async function syncRoster(
  transport: Transport,
  api: Api,
  source: RosterSource,
  { onProgress, contentType, fileName, sheet, ...given }: RosterOptions & Partial<OperatorRosterOptions>,
): Promise<RosterComparison> {
  const {
    companyTaxId,
    states,
    within,
    asOf,
    peopleCount,
    defaults,
    acceptDoubts,
    automatic,
    reference,
    intake,
    ...options
  } = given
  const report = (phase: RosterProgress['phase'], done: number, of: number | null) => onProgress?.({ phase, done, of })
  const raw = await listBody(source, contentType, (done, of) => report('sending', done, of))
  const { create, send, read, cancel, draft, items } = ids[api]
  const json = {
    'company-tax-id': companyTaxId,
    states,
    within,
    'as-of': asOf,
    'people-count': peopleCount,
    defaults,
    'accept-doubts': acceptDoubts,
    automatic,
    reference,
    intake,
  }
  let sync: RosterSync = await transport.result(create, { json, options })
  const path = [sync['roster-sync-id']]
  const query = { 'file-name': fileName ?? nameOf(source), sheet }
  try {
    sync = await transport.result(send, { path, raw, query, headers, options })
    for (let delay = firstInterval; ; delay = Math.min(delay * 1.3, interval)) {
      if (sync.status === 'reading') report('reading', sync.lines ?? 0, null)
      else report('comparing', sync.compared, sync.of)
      if (sync['finished-at'] !== null) break
      await pause(delay, options.signal)
      sync = await transport.result(read, { path, options })
    }
  } catch (error) {
    // With a key of its own the caller goes on with it by the same call. The signal of the caller may have ended the other calls.
    const last = { signal: AbortSignal.timeout(5_000), maxRetries: 0 }
    if (options.idempotencyKey === undefined) await transport.json(cancel, { path, options: last }).catch(() => {})
    throw error
  }
  if (sync.status !== 'compared') throw new RosterSyncError(sync)
  const id = sync['draft-id']
  if (id === null) return new RosterComparison(transport, api, sync, null, [])
  const found = await settled(transport, api, await transport.result(draft, { path: [id], options }), options)
  const first = { status: 'proposed', 'items-per-page': 500 } as const
  const { result } = await listOf(transport, items, [id], first, options)
  return new RosterComparison(transport, api, sync, found, needsOf(result))
}

/** The draft once what is confirmed was requested or refused. */
async function settled(
  transport: Transport,
  api: Api,
  draft: MovementDraft,
  options: RequestOptions,
): Promise<MovementDraft> {
  let last = draft
  for (let delay = firstInterval; last.status === 'requesting'; delay = Math.min(delay * 1.3, interval)) {
    await pause(delay, options.signal)
    last = await transport.result(ids[api].draft, { path: [draft['draft-id']], options })
  }
  return last
}

/** What is needed of so many items, such as `end-date`. */
function needsOf(proposed: readonly MovementDraftItem[]): [need: string, items: number][] {
  const counts = new Map<string, number>()
  for (const { needs } of proposed) for (const need of needs) counts.set(need, (counts.get(need) ?? 0) + 1)
  return [...counts]
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The name of a path or a `File`. */
function nameOf(source: RosterSource): string | undefined {
  const name = typeof source === 'string' ? source.replace(/^.*[\\/]/, '') : (source as Partial<File>).name
  return name?.slice(-200)
}

/** The body of the upload. @param onSent called with the bytes that were sent, and their number where it is known. */
async function listBody(
  source: RosterSource,
  contentType: string | undefined,
  onSent: (done: number, of: number | null) => void,
): Promise<RawBody> {
  const ofName = types[nameOf(source)?.split('.').at(-1)?.toLowerCase() ?? '']
  const isFile = typeof source === 'string' || source instanceof Blob || source instanceof Uint8Array
  if (isFile || source instanceof ArrayBuffer) {
    const { bytes } = await rawBody(source)
    const blob = bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>])
    const type = contentType ?? ofName ?? (blob.type || types['csv'])
    // Browsers do not send streams over HTTP/1.1.
    const isBrowser = 'document' in globalThis
    const stream = () => counted(chunksOf(new Response(blob)), blob.size, onSent)
    return { bytes: isBrowser ? blob : stream, ...(type && { type }), isRepeatable: true }
  }
  const isStream = source instanceof ReadableStream
  const type = contentType ?? (isStream ? 'text/csv' : 'application/x-ndjson')
  const open = () => (isStream ? chunksOf(new Response(source)) : ndjsonOf(source))
  // Another iterable may give other people the second time, or none.
  return { bytes: () => counted(open(), null, onSent), type, isRepeatable: Array.isArray(source) }
}

function counted(
  chunks: AsyncIterable<Uint8Array>,
  of: number | null,
  onSent: (done: number, of: number | null) => void,
): Bytes {
  async function* all() {
    let done = 0
    for await (const chunk of chunks) {
      yield chunk
      onSent((done += chunk.length), of)
    }
  }
  return streamOf(all())
}

const chunkLength = 65_536

async function* ndjsonOf(people: Iterable<RosterMember> | AsyncIterable<RosterMember>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const person of people) {
    text += `${JSON.stringify(person)}\n`
    if (text.length < chunkLength) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}

/** What differs between a list and who is covered. */
export class RosterComparison {
  readonly sync: RosterSync
  readonly #transport: Transport
  readonly #api: Api
  /** What the first 500 that are proposed need. */
  readonly #needs: readonly (readonly [need: string, items: number])[]
  #draft: MovementDraft | null

  /** @internal */
  constructor(
    transport: Transport,
    api: Api,
    sync: RosterSync,
    draft: MovementDraft | null,
    needs: readonly (readonly [need: string, items: number])[],
  ) {
    this.sync = sync
    this.#needs = needs
    this.#transport = transport
    this.#api = api
    this.#draft = draft
  }

  /** As it was read last; null: nothing differs. */
  get draft(): MovementDraft | null {
    return this.#draft
  }

  /** What differs, one by one. */
  async *items(
    filter: Omit<Query<'listMovementDraftItems'>, 'page' | 'items-per-page'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<MovementDraftItem, void, undefined> {
    if (this.#draft === null) return
    yield* listOf(this.#transport, ids[this.#api].items, [this.#draft['draft-id']], filter, options)
  }

  /** @returns the draft, once what is confirmed was requested or refused. */
  async confirm(body: RequestBody<'confirmMovementDraft'>, options: RequestOptions = {}): Promise<MovementDraft> {
    this.#draft = await this.#change('confirm', body, options)
    return (this.#draft = await settled(this.#transport, this.#api, this.#draft, options))
  }

  /** Without a body everything that is not decided. An operator gives a reason. */
  async discard(body: RequestBody<'discardMovementDraft'> = {}, options: RequestOptions = {}): Promise<MovementDraft> {
    return (this.#draft = await this.#change('discard', body, options))
  }

  /** How many there are of each class and status, what is doubtful about the list, and what is needed. */
  toString(): string {
    const { sync } = this
    const { counts = [], guard = [] } = this.#draft ?? {}
    const statuses = Object.keys(counts[0] ?? {}).filter((name) => counts.some((one) => one[name as 'proposed'] > 0))
    const rows = [
      ['', ...statuses],
      ...counts.map((one) => [one.class, ...statuses.map((name) => one[name as 'proposed'])]),
    ]
    const width = Math.max(...rows.flat().map((cell) => String(cell).length))
    return [
      `${sync.unchanged} people as the list has them on ${sync['as-of']}, ${sync['refused-lines']} of ${sync.lines} lines refused`,
      ...sync.doubts.map(({ doubt, found, limit }) => `doubt ${doubt}: ${found}, limit ${limit}`),
      ...guard
        .filter((one) => one['is-over'])
        .map((one) => `guard: ${one.leaving} of ${one.covered} people would leave ${one['product-name']}`),
      ...(counts.length === 0
        ? []
        : rows.map((row) =>
            row
              .map((cell) => String(cell).padEnd(width))
              .join('  ')
              .trimEnd(),
          )),
      ...this.#needs.map(([need, items]) => `needs ${need}: ${items}`),
    ].join('\n')
  }

  #change(verb: 'confirm' | 'discard', json: object, options: RequestOptions): Promise<MovementDraft> {
    if (this.#draft === null) throw new VigenciaError(`Nothing differs: there is nothing to ${verb}`)
    const call = { path: [this.#draft['draft-id']], json, options, ...(verb === 'confirm' && { headers }) }
    return this.#transport.result(ids[this.#api][verb], call)
  }
}
