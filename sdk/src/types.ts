import type { components, operations, webhooks } from './generated/schema.ts'

/** The schemas of the API by their names in openapi.json. */
export type Schemas = components['schemas']

export type OperationId = keyof operations

type Content<Id extends OperationId> = operations[Id] extends { responses: { 200: { content: infer Contents } } }
  ? Contents
  : never

/** The JSON body of the response to an operation. */
export type ResponseBody<Id extends OperationId> =
  Content<Id> extends { 'application/json': infer Body } ? Body : undefined

/** The response to a batch that was judged with `dry-run`. */
export type Judged<Id extends OperationId> = Extract<ResponseBody<Id>, { 'dry-run': true }>

/** The response to a batch that was accepted. */
export type Accepted<Id extends OperationId> = Exclude<ResponseBody<Id>, { 'dry-run': true }>

/** `result` of the response. Of events, which its schema does not tell apart, a union by `type`. */
export type Result<Id extends OperationId> = Id extends 'readWebhookEvent'
  ? WebhookEvent
  : Id extends 'listWebhookEvents'
    ? WebhookEvent[]
    : ResponseBody<Id> extends { result: infer Value }
      ? Value
      : never

/** An item of a list. */
export type Item<Id extends OperationId> = Result<Id> extends (infer Element)[] ? Element : never

/** The query parameters of an operation, by their names on the wire. */
export type Query<Id extends OperationId> = WithUndefined<NonNullable<operations[Id]['parameters']['query']>>

/** Optional properties may also be undefined, which is not sent. */
type WithUndefined<Parameters> = {
  [Name in keyof Parameters]: object extends Pick<Parameters, Name> ? Parameters[Name] | undefined : Parameters[Name]
}

/** The JSON body that an operation takes. */
export type RequestBody<Id extends OperationId> = operations[Id] extends { requestBody?: infer Sent }
  ? NonNullable<Sent> extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never

export type Member = Schemas['Member']
export type MemberDetail = Schemas['MemberDetail']
export type Benefit = Item<'listBenefits'>
export type Company = Schemas['Company']
export type Product = Item<'listProducts'>
export type Enrollment = Schemas['Enrollment']
/** A movement request: what an inclusion, exclusion or alteration became. */
export type MovementRequest = Schemas['Request']
export type Invoice = Schemas['Invoice']
/** An operator's session in a browser. */
export type Session = Schemas['Session']
export type Pagination = Schemas['Pagination']
export type InclusionBody = RequestBody<'includeMembers'>
export type InclusionMember = Schemas['InclusionMember']
export type ExclusionBody = RequestBody<'excludeMembers'>
export type ExclusionMember = Schemas['ExclusionMember']
export type AlterationBody = RequestBody<'alterMember'>
export type RejectedMember = Schemas['RejectedMember']
export type RejectedExclusion = Schemas['RejectedExclusion']
export type AlterationBatchBody = RequestBody<'alterMembers'>
export type AlterationMember = Schemas['AlterationMember']
export type RejectedAlteration = Schemas['RejectedAlteration']
/** A job of decisions: a file, or many enrollments at once. */
export type DecisionJob = Schemas['DecisionJob']
/** A list of who should be covered, and how far it is compared with who is. */
export type RosterSync = Schemas['RosterSync']
/** Movements that somebody has to confirm, and how many there are of each class. */
export type MovementDraft = Schemas['MovementDraft']
/** One proposed act for one person. */
export type MovementDraftItem = Schemas['MovementDraftItem']
/** The outcome of each line of decisions. */
export type DecisionResult = ResponseBody<'readDecisionJobResult'>
export type ErrorDetail = Schemas['ErrorDetail']
/** Later versions of the service may add codes. */
export type ErrorCode = Schemas['ErrorCode'] | (string & {})

/** The types of events. Later versions of the service may add types: ignore those that you do not know. */
export type EventType = Exclude<keyof webhooks, 'shipment.connector'>

type EventBody<Type extends EventType> = webhooks[Type] extends {
  post: { requestBody: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

/** An event, by its `type`. `id` is the `webhook-id` of its deliveries: the same event has the same id. */
export type WebhookEvent = { [Type in EventType]: { id: string } & EventBody<Type> }[EventType]

/** The options of one call. */
export interface RequestOptions {
  /** Aborts the call, its retries too. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until an attempt without a response is ended; 0 for none. */
  readonly timeout?: number | undefined
  /** Attempts after the first. */
  readonly maxRetries?: number | undefined
  /** The key of a POST that takes one. Without it the client makes one, and sends it with each retry of the call. */
  readonly idempotencyKey?: string | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The options of an operation with a body: its query parameters too. */
export type WriteOptions<Id extends OperationId> = RequestOptions & Query<Id>

/** A download of an invoice: one file of it, or a ZIP of all. */
export type DownloadOptions = WriteOptions<'downloadInvoice'>

/** A file of lines: CSV by default. */
export interface LinesOptions extends RequestOptions {
  readonly type?:
    | 'text/csv'
    | 'application/x-ndjson'
    | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
}

/** `lenient` accepts the members without offenses; the response lists the others. */
export interface Handling {
  readonly handling?: 'strict' | 'lenient' | undefined
}

/** The bytes of a file. */
export type FileBody = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | string

/** What hooks get about a call. `path` is a template: it has no tax id and no query. */
export interface CallInfo {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** From 1. */
  readonly attempt: number
}

export interface ResponseInfo extends CallInfo {
  readonly status: number
  /** From the begin of the attempt to the headers of the response. */
  readonly milliseconds: number
  readonly requestTraceId: string | null
}

export interface RetryInfo extends CallInfo {
  /** The status of the response; null when there was none. */
  readonly status: number | null
  /** Until the next attempt. */
  readonly milliseconds: number
}

/** Called with what can be logged: ids, statuses and times, no data of people. */
export interface Hooks {
  readonly onRequest?: (info: CallInfo) => void
  readonly onResponse?: (info: ResponseInfo) => void
  readonly onRetry?: (info: RetryInfo) => void
}

/**
 * A client id and its secret, or a token that the caller gets elsewhere (a browser has no secret). With `null` no token is sent: the cookie of
 * an operator's session authenticates, which the browser sends. A function gets the token that the service has just refused, if there is one.
 */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string; readonly token?: never }
  | {
      readonly token: string | ((refused: string | null) => string | Promise<string>) | null
      readonly clientId?: never
      readonly clientSecret?: never
    }

export type ClientOptions = Credentials &
  Hooks & {
    /** Where the service runs: `https://benefits.example`. */
    readonly url: string
    /** Instead of the global `fetch`. */
    readonly fetch?: typeof globalThis.fetch
    /** Milliseconds until an attempt without a response is ended: 60,000; 0 for none. Calls that send a file have 15 minutes. */
    readonly timeout?: number
    /** Attempts after the first: 8, which is about 45 seconds. */
    readonly maxRetries?: number
    /** Aborts all calls of the client. */
    readonly signal?: AbortSignal
    /** Called before a retry: false ends the call with its error. */
    readonly shouldRetry?: (info: RetryInfo) => boolean
    /** With each call, for example `{ 'accept-language': 'pt-BR' }`. */
    readonly headers?: Readonly<Record<string, string>>
  }
