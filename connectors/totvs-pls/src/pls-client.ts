import type { PlsConfiguration } from './configuration.ts'

/** The carrier said no: the same call fails again. */
export class RefusedError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message.slice(0, 500))
    this.code = code
  }
}

/** No answer, or one that says nothing of the call: it may have been executed. */
export class UncertainError extends Error {
  /** null: no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/** What a look-up of a contract, or of a person in it, gives. */
export interface ContractCodes {
  readonly BBA_CODINT: string
  readonly BBA_CODEMP: string
  readonly BBA_CONEMP: string
  readonly BBA_VERCON: string
  readonly BBA_SUBCON: string
  readonly BBA_VERSUB: string
  /** The person's; empty when the person was not found. */
  readonly BBA_MATRIC: string
  readonly FOUND: boolean
  readonly tenantid: string
}

/** A model of FWModel: a protocol of an inclusion or an alteration. */
export interface Model {
  readonly id: string
  readonly pk?: string
  readonly models: readonly SubModel[]
}

export interface SubModel {
  readonly id: string
  readonly fields?: readonly ModelField[]
  readonly items?: readonly { readonly fields: readonly ModelField[] }[]
  readonly models?: readonly SubModel[]
}

export interface ModelField {
  readonly id: string
  readonly order?: number
  readonly value: string
}

interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Waits before the next attempt. */
export type Pause = (milliseconds: number) => Promise<void>

const timeout = 60_000
/** Milliseconds before the repeats of a call. */
export const backOff = [1_000, 4_000, 15_000, 60_000] as const

/** The interface of TOTVS Protheus PLS. Reads are repeated here; who writes looks first whether the write was done. */
export class PlsClient {
  readonly #options: PlsConfiguration
  readonly #password: string
  readonly #pause: Pause
  #token: string | null = null

  constructor(options: PlsConfiguration, password: string, pause: Pause) {
    this.#options = options
    this.#password = password
    this.#pause = pause
  }

  /** The codes of a contract. @param taxId of a person that is looked up in it. */
  findContract(contract: Readonly<Record<string, unknown>>, taxId?: string): Promise<ContractCodes> {
    const query = Object.entries(this.#options['contract-query']).map(([name, value]) => [
      name,
      value.startsWith('$') ? textOf(contract[value.slice(1)]) : value,
    ])
    const person = taxId === undefined ? {} : { cgcbeneficiario: taxId }
    const path = this.#options['contract-path']
    return this.#read({ method: 'GET', path, query: { ...Object.fromEntries(query), ...person } })
  }

  /** Makes a protocol. @throws UncertainError when it may have been made. */
  async createModel(tenantId: string, model: object & { readonly id: string }): Promise<Model> {
    return this.#call({ method: 'POST', path: `/fwmodel/${model.id}/`, headers: { tenantid: tenantId }, body: model })
  }

  /** A protocol; null when there is none: an approved one is not among those of inclusions any more. */
  async readModel(tenantId: string, id: string, pk: string): Promise<Model | null> {
    try {
      const path = `/fwmodel/${id}/${encodeURIComponent(pk)}`
      return await this.#read<Model>({ method: 'GET', path, headers: { tenantid: tenantId } })
    } catch (error) {
      if (error instanceof UncertainError && error.status === 404) return null
      throw error
    }
  }

  /** The protocols with this value of a field. */
  async findModels(tenantId: string, id: string, field: string, value: string): Promise<readonly Model[]> {
    const headers = { tenantid: tenantId, filter: `${field}='${value}'`, firstlevel: 'false', count: '100' }
    const { resources = [] } = await this.#read<{ resources?: Model[] }>({
      method: 'GET',
      path: `/fwmodel/${id}/`,
      headers,
    })
    return resources
  }

  /** Blocks or unblocks a person at once. @throws UncertainError when it may have been done. */
  async block(tenantId: string, subscriberId: string, reason: string, blockDate: string): Promise<string | null> {
    const answer = await this.#call<{ protocol?: unknown } | null>({
      method: 'POST',
      path: '/totvsHealthPlans/familyContract/v1/beneficiaries/blockProtocol',
      headers: { tenantid: tenantId },
      body: { subscriberId, reason, blockDate, loginUser: this.#options['login-user'] },
    })
    return textOf(answer?.protocol) || null
  }

  async #read<T>(call: Call): Promise<T> {
    for (const delay of backOff) {
      try {
        return await this.#call<T>(call)
      } catch (error) {
        if (!(error instanceof UncertainError) || error.status === 404) throw error
        await this.#pause(delay)
      }
    }
    return this.#call<T>(call)
  }

  /** Sends a call, with a new token once when the token has expired. */
  async #call<T>(call: Call): Promise<T> {
    const isNew = this.#token === null
    this.#token ??= await this.#fetchToken()
    try {
      return await this.#send<T>(call, { authorization: `Bearer ${this.#token}` })
    } catch (error) {
      if (!(error instanceof UncertainError) || error.status !== 401) throw error
      this.#token = null
      if (isNew) throw error
      return this.#call<T>(call)
    }
  }

  async #fetchToken(): Promise<string> {
    const query = { grant_type: 'password', username: this.#options.username, password: this.#password }
    const path = '/api/oauth2/v1/token'
    const { access_token: token } = await this.#send<{ access_token?: unknown }>({ method: 'POST', path, query }, {})
    if (typeof token !== 'string') throw new UncertainError('The carrier gave no token')
    return token
  }

  async #send<T>({ method, path, query = {}, headers, body }: Call, authorization: Record<string, string>): Promise<T> {
    const url = new URL(this.#options.url.replace(/\/$/, '') + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // Without the cause: its text may quote the URL, which has a password or a CPF.
    const lost = () => {
      throw new UncertainError('The carrier gave no answer')
    }
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers, ...authorization },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    }).catch(lost)
    const text = await response.text().catch(lost)
    const answer = parse(text)
    const { msgerror: message } = (answer ?? {}) as { msgerror?: unknown }
    // A wrong path, password or gateway is no refusal of a person.
    const isRefused = [400, 409, 422].includes(response.status) || (response.ok && message !== undefined)
    if (isRefused) throw new RefusedError(`http-${response.status}`, textOf(message))
    if (!response.ok) throw new UncertainError(`The carrier answered with ${response.status}`, response.status)
    return answer as T
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
