import { type ApiResponse, expectOk, type Json, type TestApp } from './test-app.ts'

/* People, as an admin invites them and as they sign in. */

export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Invites a person. @returns the body of the response, and the e-mail address as the service has it. */
export async function invite(
  app: TestApp,
  person: { name: string; email: string; role: string; [more: string]: unknown },
): Promise<Json> {
  const response = expectOk(await app.operator.post('/operator/v1/person', person))
  return { ...response.body, email: person.email.toLowerCase() }
}

export const linkToken = (link: string): string => link.split('#')[1] ?? ''

export const setPassword = (
  app: TestApp,
  token: string,
  password = 'quatro palavras bem longas',
): Promise<ApiResponse> => app.call('POST', '/operator/v1/session/password', { body: { token, password } })

export interface TestPerson {
  readonly id: string
  readonly email: string
  readonly password: string
}

let serial = 0

/** A person of the role who has set a password. */
export async function personOf(app: TestApp, role: string, ...companyTaxIds: string[]): Promise<TestPerson> {
  serial += 1
  const email = `${role}.${serial}@people.example`
  const companies = companyTaxIds.length === 0 ? {} : { 'company-tax-ids': companyTaxIds }
  const { 'person-id': id, link } = await invite(app, { name: `Pessoa ${serial}`, email, role, ...companies })
  const password = `senha de teste ${serial}`
  expectOk(await setPassword(app, linkToken(link), password))
  return { id, email, password }
}

export interface Browser extends ApiResponse {
  /** `name=value` of the cookie. */
  readonly cookie: string
  readonly session: Json
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
}

/** The response to a sign-in, and calls with its cookie from a page of the service. */
export async function signInAs(app: TestApp, email: string, password: string): Promise<Browser> {
  const response = await app.call('POST', '/operator/v1/session', { body: { email, password }, headers: sameOrigin })
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  return {
    ...response,
    cookie,
    session: response.body?.result,
    call: (method, path, body, headers = {}) =>
      app.call(method, path, {
        headers: { cookie, ...sameOrigin, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  }
}
