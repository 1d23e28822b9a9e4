/* An OpenID Connect provider on loopback, and a browser that signs in there. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export interface Person {
  readonly sub: string
  /** The subject in the ID token, if it is not `sub`. */
  readonly claimedSub?: string
  readonly name?: string
  readonly roles?: unknown
}

export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who signs in next; null: somebody who cancels. */
  person: Person | null
  /** To be called before the first sign-in. */
  allow(redirectUri: string): Promise<void>
  /** Breaks connections from now on, or listens again at the same address. */
  away(isAway: boolean): void
  close(): Promise<void>
}

const clientId = 'vigencia'
const clientSecret = 'secret-at-the-provider'

export async function openProvider(): Promise<TestProvider> {
  let listener: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
  let isAway = false
  const server: Server = createServer((request, response) => {
    if (isAway || listener === null) request.socket.destroy()
    else listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const testProvider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    person: null,
    async allow(redirectUri) {
      listener = await providerFor(testProvider, redirectUri)
    },
    away(value) {
      isAway = value
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return testProvider
}

async function providerFor(testProvider: TestProvider, redirectUri: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const people = new Map<string, Person>()
  const provider = new Provider(testProvider.issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], profile: ['name', 'roles'] },
    // Into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
    ttl: { Session: 60, Interaction: 60, Grant: 60, IdToken: 60, AccessToken: 60, AuthorizationCode: 60 },
  })
  provider.use(async (context, next) => {
    await next()
    const { claimedSub } = testProvider.person ?? {}
    const body = context.body as { id_token?: string } | undefined
    if (claimedSub === undefined || body?.id_token === undefined) return
    const header = { alg: 'RS256', kid: 'test' }
    body.id_token = await new SignJWT({ ...decodeJwt(body.id_token), sub: claimedSub })
      .setProtectedHeader(header)
      .sign(privateKey)
  })
  const handle = provider.callback()
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const { person } = testProvider
    if (person !== null) people.set(person.sub, person)
    const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.sub }, consent: {} }
    await provider.interactionFinished(request, response, result)
  }
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response)
    else void handle(request, response)
  }
}

/** A browser that keeps cookies by their origin, and follows redirects up to the first for which `stop` holds. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  /** The cookies of an address, as they are sent. */
  cookies(url: string): string {
    const { host } = new URL(url)
    return [...this.#cookies].flatMap(([key, value]) => (key.startsWith(`${host} `) ? [value] : [])).join('; ')
  }

  async get(url: string): Promise<Response> {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookies(url) } })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1)
      const key = `${new URL(url).host} ${pair.split('=', 1)[0]}`
      if (/expires=Thu, 01 Jan 1970/i.test(cookie)) this.#cookies.delete(key)
      else this.#cookies.set(key, pair)
    }
    return response
  }

  /** @returns the address that it was sent to and did not follow. */
  async follow(url: string, stop: (url: string) => boolean): Promise<string> {
    for (let next = url, hops = 0; hops < 20; hops += 1) {
      const response = await this.get(next)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${next} got ${response.status}: ${await response.text()}`)
      next = new URL(location, next).href
      if (stop(next)) return next
    }
    throw new Error('too many redirects')
  }
}
