import type { ResponseBody } from '@vigencia/client'

/* The calls of the page. The token of the link and the session go in headers, never in an address. */

export type View = ResponseBody<'readOwnOnboarding'>['result']
export type Product = View['products'][number]
export type Requirement = Product['requirements'][number]
export type Price = ResponseBody<'calculateOnboardingPrice'>['result'][number]

/** What is wrong with a field. */
export interface Detail {
  readonly field: string
  readonly code: string
  readonly message?: string
}

/** A response that is not 2xx; `other`: none came. */
export class LinkError extends Error {
  readonly code: string
  readonly details: readonly Detail[]
  readonly attemptsLeft: number | null

  constructor(body: { code?: string; details?: Detail[]; 'attempts-left'?: number }) {
    super(body.code ?? 'other')
    this.code = body.code ?? 'other'
    this.details = body.details ?? []
    this.attemptsLeft = body['attempts-left'] ?? null
  }
}

/** What the page of one link may call. */
export class Link {
  readonly #token: string
  #session = ''

  constructor(token: string) {
    this.#token = token
  }

  /** Under which name the browser keeps what is written. */
  get draftKey(): string {
    return `vigencia-onboarding-${this.#token}`
  }

  /** Checks the second factor: from then on the others may be called. */
  async open(ending: string, born: string): Promise<View> {
    const body = { 'tax-id-ending': ending, 'date-of-birth': born }
    const { result } = await this.#call<ResponseBody<'startOnboardingSession'>>('POST', 'session', body)
    this.#session = result.session
    return this.read()
  }

  async read(): Promise<View> {
    return (await this.#call<ResponseBody<'readOwnOnboarding'>>('GET', 'invitation')).result
  }

  async prices(datesOfBirth: readonly string[]): Promise<readonly Price[]> {
    const body = { 'dates-of-birth': datesOfBirth }
    return (await this.#call<ResponseBody<'calculateOnboardingPrice'>>('POST', 'price', body)).result
  }

  async upload(file: File): Promise<string> {
    const form = new FormData()
    form.append('file', file)
    return (await this.#call<ResponseBody<'uploadOnboardingDocument'>>('POST', 'document', form))['document-id']
  }

  async remove(documentId: string): Promise<void> {
    await this.#call('DELETE', `document/${documentId}`)
  }

  async submit(submission: object): Promise<void> {
    await this.#call('POST', 'submission', submission)
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData
    const headers: Record<string, string> = {
      'accept-language': document.documentElement.lang,
      'onboarding-token': this.#token,
      'onboarding-session': this.#session,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    }
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
    const response = await fetch(`/onboarding/v1/${path}`, { method, headers, ...sent }).catch(() => null)
    if (response === null) throw new LinkError({})
    if (response.status === 204) return undefined as T
    const read = (await response.json().catch(() => ({}))) as T
    if (!response.ok) throw new LinkError(read as object)
    return read
  }
}
