import {
  type ApiResponse,
  type CallOptions,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  nextCpf,
  type TestApp,
} from './test-app.ts'
import { pdf } from './upload.ts'

/* Onboarding links, as the HR makes them and as employees use them. */

export const invitationPath = '/v1/onboarding-invitation'

/** The body of an invitation into the health plan. */
export function invitationBody(company: Company, more: Json = {}): Json {
  return {
    'company-tax-id': company.taxId,
    name: 'Helena Prado',
    'tax-id': nextCpf(),
    'date-of-birth': '1990-05-17',
    'admission-date': '2026-11-16',
    products: [{ 'product-id': company.products[health], 'start-option': 'on-inclusion-date' }],
    ...more,
  }
}

export interface Link {
  readonly id: string
  readonly token: string
  readonly body: Json
}

/** Invites somebody. */
export async function invited(hr: Pick<Client, 'post'>, body: Json): Promise<Link> {
  const { result } = expectOk(await hr.post(invitationPath, body)).body
  return { id: result['invitation-id'], token: result.link.split('#')[1], body }
}

/** The last five digits of the CPF and the date of birth. */
export const factorOf = ({ body }: Link, more: Json = {}): Json => ({
  'tax-id-ending': body['tax-id'].slice(-5),
  'date-of-birth': body['date-of-birth'],
  ...more,
})

export const tryFactor = (
  app: Pick<TestApp, 'call'>,
  token: string,
  factor: Json,
  headers: Record<string, string> = {},
): Promise<ApiResponse> =>
  app.call('POST', '/onboarding/v1/session', { body: factor, headers: { 'onboarding-token': token, ...headers } })

/** The page of a link, after the second factor. */
export interface LinkPage {
  readonly headers: Record<string, string>
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  view(): Promise<Json>
  upload(bytes?: Buffer): Promise<string>
  submit(submission: Json): Promise<ApiResponse>
}

/** Opens a link with the right second factor. */
export async function openPage(app: Pick<TestApp, 'call'>, link: Link): Promise<LinkPage> {
  const { result } = expectOk(await tryFactor(app, link.token, factorOf(link))).body
  const headers = { 'onboarding-token': link.token, 'onboarding-session': result.session as string }
  const call: LinkPage['call'] = (method, path, options = {}) =>
    app.call(method, `/onboarding/v1/${path}`, { ...options, headers: { ...headers, ...options.headers } })
  return {
    headers,
    call,
    view: async () => expectOk(await call('GET', 'invitation')).body.result,
    upload: async (bytes = pdf) => {
      const sent = { body: bytes, headers: { 'content-type': 'application/pdf' } }
      return expectOk(await call('POST', 'document', sent)).body['document-id']
    },
    submit: (submission) => call('POST', 'submission', { body: submission }),
  }
}

/** What an employee sends who takes the health plan. */
export function submissionOf({ body }: Link, more: Json = {}): Json {
  return {
    member: { name: 'Helena Prado', 'mothers-name': 'Fátima Prado', gender: 'female', 'marital-status': 'married' },
    choices: body.products.map((product: Json) => ({ 'product-id': product['product-id'], choice: 'enroll' })),
    ...more,
  }
}

/** A child in the health plan. */
export function childOf(company: Company, more: Json = {}): Json {
  return {
    name: 'Davi Prado',
    'tax-id': nextCpf(),
    'mothers-name': 'Helena Prado',
    'date-of-birth': '2020-01-31',
    gender: 'male',
    'dependent-type': 'child',
    'dependent-product-ids': [company.products[health]],
    ...more,
  }
}

/** An invitation whose employee has sent the data. */
export async function submitted(app: TestApp, hr: Client, company: Company, more: Json = {}): Promise<Link> {
  const link = await invited(hr, invitationBody(company, more))
  const page = await openPage(app, link)
  expectOk(await page.submit(submissionOf(link)))
  return link
}

/** Approves what the HR sees now. */
export async function approve(hr: Pick<Client, 'get' | 'post'>, { id }: Pick<Link, 'id'>): Promise<ApiResponse> {
  const { result } = expectOk(await hr.get(`${invitationPath}/${id}`)).body
  return hr.post(`${invitationPath}/${id}/approve`, { 'submitted-at': result['submitted-at'] ?? result['created-at'] })
}
