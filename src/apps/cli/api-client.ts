/* Imported when a command calls a service: the others do not load the SDK. */
import texts from '../../../texts/errors.json' with { type: 'json' }
import {
  ApiError,
  BrokenJobError,
  ConnectionError,
  InvalidResponseError,
  type RetryInfo,
  RosterSyncError,
  type Schemas,
  TimeoutError,
  Vigencia,
  VigenciaError,
} from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { ownValue, PORTUGUESE } from '#kernel/texts/texts.ts'
import type { Api } from '#platform/http/caller.ts'
import { CommandError } from './errors.ts'
import { type Credentials, findCredentials } from './profiles.ts'
import { cachedToken } from './token-cache.ts'
import { language, say, translated } from './language.ts'
import { interruption, oneLine, printWait } from './terminal.ts'

interface Clients {
  readonly partner: Vigencia
  readonly operator: VigenciaOperator
  /** The API of the credentials. */
  readonly either: Vigencia | VigenciaOperator
  /** The same; the partner's where the profile has both. */
  readonly 'partner-first': Vigencia | VigenciaOperator
}

interface Client<Sdk> {
  readonly url: string
  readonly api: Api
  readonly sdk: Sdk
  /** The token of the calls. @param refused the one that a call was refused with. */
  readonly token: (refused: string | null) => Promise<string>
  /** For an error of the SDK that of the command; another one unchanged. */
  readonly errorOf: (error: unknown) => unknown
}

/** The SDK, for a running service and one of its clients. */
export type ApiClient<Choice extends keyof Clients = 'either'> = Client<Clients[Choice]>

/**
 * The client of the selected profile.
 * @param choice `either`: the API of the credentials, the operator's where the profile has both.
 */
export async function openApiClient<Choice extends keyof Clients>(
  choice: Choice,
  profile: string | undefined,
): Promise<ApiClient<Choice>> {
  const { credentials, api: known } = findCredentials(choice, profile)
  const { url } = credentials
  const token = cachedToken(credentials, () => requestToken(credentials))
  // Credentials of the environment: the token tells their API.
  const api = known ?? apiOf(await token(null))
  const options = { ...optionsOf(url), token }
  const sdk = new { partner: Vigencia, operator: VigenciaOperator }[api](options) as Clients[Choice]
  return { url, api, sdk, token, errorOf: (error) => errorOf(error, url) }
}

/** The API of the credentials, from the audience of a new token. @throws CommandError `credentials` when the service refuses them. */
export async function findApi(credentials: Credentials): Promise<Api> {
  return apiOf((await requestToken(credentials))['access-token'])
}

async function requestToken({ url, ...json }: Credentials): Promise<Schemas['AccessToken']> {
  const { operations } = new Vigencia({ ...optionsOf(url), token: null })
  try {
    const token = (await operations.request('authenticate', { json })) as Schemas['AccessToken']
    if (typeof token?.['access-token'] === 'string') return token
    throw new InvalidResponseError('The response has no access token')
  } catch (error) {
    throw errorOf(error, url)
  }
}

function apiOf(token: string): Api {
  return String(claimsOf(token)['aud']).endsWith(':operator') ? 'operator' : 'partner'
}

/** What a token says; the service has verified it. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Record<string, unknown>
}

function optionsOf(url: string) {
  return {
    url,
    signal: interruption(),
    headers: { 'accept-language': language() },
    // A service that is away is an error at once.
    shouldRetry: ({ status }: RetryInfo) => status !== null,
    onRetry({ status, milliseconds }: RetryInfo) {
      if (milliseconds >= 1_000) printWait(milliseconds / 1_000, status)
    },
  }
}

function errorOf(error: unknown, url: string): unknown {
  if (error instanceof ApiError) return responseError(error)
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    const code = error instanceof TimeoutError ? say`no response in time` : (error.code ?? say`the connection broke`)
    const next = say`See that the service runs there (npm start), or name another one: vigencia login, --profile`
    return new CommandError('unreachable', say`${url} does not answer (${code}).`, next, { cause: error })
  }
  if (error instanceof InvalidResponseError) {
    const next = say`Sign in with its right address: vigencia login --url URL`
    return new CommandError('unreachable', say`What answers at ${url} is no Vigencia.`, next)
  }
  if (error instanceof BrokenJobError) {
    const { 'job-id': id, done, lines } = error.job
    const next = say`See what was done: vigencia decision-job result ${id}`
    return new CommandError(
      done > 0 ? 'inPart' : 'refused',
      say`The job ${id} is broken (${error.job['broken-reason']}); ${done} of ${lines} lines are done.`,
      next,
    )
  }
  if (error instanceof RosterSyncError) {
    const headings = error.problems.map(({ field }) => field).filter((field) => field !== null)
    const named = headings.length === 0 ? '' : ` (${oneLine(headings.join(', '))})`
    return new CommandError('doubtful', `${error.message}${named}.`, null, { body: { result: error.sync } })
  }
  // A value of the path.
  return error instanceof VigenciaError ? new CommandError('usage', `${error.message}.`) : error
}

/** The error for a response that is not 2xx, with what to do next. */
function responseError({ status: httpStatus, body, details, requestTraceId }: ApiError): CommandError {
  const error = sentenceOfError(body, httpStatus)
  const trace = requestTraceId === null ? '' : say` (trace ${oneLine(requestTraceId)})`
  const lines = [...bounded(details, detailOf, 'details'), ...membersOf(body)]
  const message = [`${oneLine(error)}${trace}`, ...lines.map((line) => `  ${line}`)].join('\n')
  const isBusy = httpStatus === 429 || httpStatus >= 500
  const exitStatus = httpStatus === 401 ? 'credentials' : isBusy ? 'unreachable' : 'refused'
  return new CommandError(exitStatus, message, nextAfter(httpStatus, body['code']), { body, httpStatus })
}

/** Members of every error, and those that are printed on their own. */
const printed = new Set(['error', 'message', 'code', 'details', 'help', 'request-trace-id'])
/** For a list, and for the members of a body. */
const maxPrinted = 20
/** Characters of a text. */
const maxText = 500

/** A line for each of the first items, and one that says how many more there are. */
function bounded<Item>(items: readonly Item[], lineOf: (item: Item) => string, name: string): string[] {
  const lines = items.slice(0, maxPrinted).map(lineOf)
  return items.length > maxPrinted ? [...lines, say`${name}: ${items.length - maxPrinted} more`] : lines
}

/** A field, what is wrong with it, and what it may be where the sentence does not say so. */
function detailOf({ field, ...detail }: ApiError['details'][number]): string {
  return `${oneLine(field)}: ${problemOf(detail)}`
}

function problemOf({ code, message, allowed }: Readonly<Record<string, unknown>>): string {
  const sentence = typeof message === 'string' ? ` (${shortText(message)})` : ''
  const isSaid = !Array.isArray(allowed) || allowed.every((value) => sentence.includes(String(value)))
  return `${shortText(String(code))}${sentence}${isSaid ? '' : say`, allowed: ${textOf(allowed)}`}`
}

/** What the body of an error has beside the sentence: a line for each member, and for each item of a list of objects. */
function membersOf(body: Readonly<Record<string, unknown>>): string[] {
  const members = Object.entries(body).filter(
    ([name, value]) => !printed.has(name) && value !== null && value !== undefined,
  )
  const lines = members.slice(0, maxPrinted).flatMap(([name, value]) => {
    const label = oneLine(name)
    if (!Array.isArray(value) || !value.some(isRecord)) return [`${label}: ${textOf(value)}`]
    return bounded(value as unknown[], (item) => `${label}: ${textOf(item)}`, label)
  })
  return members.length > maxPrinted ? [...lines, say`${members.length - maxPrinted} more members`] : lines
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value on one line: `name value, name value` of an object, and a problem in its sentence. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length > maxPrinted ? [say`${value.length - maxPrinted} more`] : []
    const texts = [...value.slice(0, maxPrinted).map(textOf), ...more]
    return texts.join(value.some(isRecord) ? '; ' : ', ') || say`nothing`
  }
  if (!isRecord(value)) return shortText(String(value))
  const { code, message, ...others } = value
  const isProblem = typeof code === 'string' && typeof message === 'string'
  const own = Object.entries(isProblem ? others : value)
    // The sentence of a problem says where it is.
    .filter(([, member]) => member !== null && !(isProblem && message.includes(textOf(member))))
    .map(([name, member]) => `${oneLine(name)} ${textOf(member)}`)
  return [...own, ...(isProblem ? [problemOf(value)] : [])].join(', ')
}

function shortText(text: string): string {
  const line = oneLine(text)
  return line.length > maxText ? `${line.slice(0, maxText)}… ${say`(${line.length - maxText} more characters)`}` : line
}

/** How the command goes on where the API names a field. */
export const nextByCode: Readonly<Record<string, string>> = {
  'closing-open-items': 'Do it, or close with a reason: --reason TEXT',
  'shipment-items-not-ready': 'Correct them, or leave them for the next shipment: --skip-not-ready',
  'shipment-items-changed': 'Take the file back and make it again: vigencia shipment reopen, then close',
  'price-setting-missing': 'Set them in the contract: vigencia contract put',
}

/** What `docs/reference/errors.md` says to do, of each code. */
const remedies: Readonly<Record<string, { readonly mend: string }>> = texts.errors

function nextAfter(status: number, code: unknown): string | null {
  if (code === 'wrong-api') return say`Use a client of the other API: vigencia login --profile NAME`
  if (status === 401) return say`Sign in again, or ask for a new secret: vigencia login`
  if (code === 'role-not-allowed') return say`Use an operator of another role: vigencia login --profile NAME`
  if (status === 403)
    return say`If the company exists, an operator grants it: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID`
  if (code === 'company-not-found') return say`An operator makes it first: vigencia company put FILE`
  if (status === 429 || status >= 500) return say`Repeat the command later; quote the trace id if it stays so.`
  const known = typeof code === 'string' && Object.hasOwn(remedies, code) ? code : null
  if (known === null) return null
  const next = nextByCode[known]
  if (next !== undefined) return translated(next)
  // The Portuguese sentence of a code says it too.
  return language() === 'en' ? (remedies[known]?.mend ?? null) : null
}

/** The sentence of an error in the language: that of the service, else that of its code. */
function sentenceOfError({ message, error, code }: Readonly<Record<string, unknown>>, status: number): string {
  if (language() === 'pt-BR') {
    if (typeof message === 'string') return message
    const own = typeof code === 'string' ? ownValue(PORTUGUESE.errors, code) : undefined
    if (own !== undefined) return own
  }
  return typeof error === 'string' ? error : say`The service answered ${status}`
}
