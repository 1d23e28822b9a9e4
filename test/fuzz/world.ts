import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { premiums } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { cnpjAt } from '../data/people.ts'
import { pricesOf } from '../data/prices.ts'
import type { Actor, World } from './request.ts'

const companyFile = new URL('../data/company.json', import.meta.url)
/** `today` of the service. */
export const businessDay = '2026-11-23'
/** Passkeys are of this address. */
export const publicUrl = 'https://benefits.example'

/** An erasure has two admins. */
const roles = ['admin', 'analyst', 'finance', 'auditor', 'admin']

export interface OpenedWorld {
  readonly world: World
  /** The clients that send the requests. */
  readonly clientIds: readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Makes companies with a contract each, partners of one, of two and of none of them, an operator of each role, and a receiver of webhooks.
 * @param operator an admin.
 */
export async function openWorld(
  url: string,
  operator: { readonly clientId: string; readonly clientSecret: string },
): Promise<OpenedWorld> {
  const token = await signIn(url, operator)
  const post = (path: string, body: unknown, method = 'POST') => call(url, method, path, token, body)
  const { 'company-tax-id': _, ...company } = JSON.parse(readFileSync(companyFile, 'utf8')) as Record<string, unknown>
  const companies = [cnpjAt(1), cnpjAt(2), cnpjAt(3)]
  for (const taxId of companies) {
    const made: unknown = await post(`/operator/v1/company/${taxId}`, company, 'PUT')
    const contract: unknown = await post(
      '/operator/v1/contract',
      contractOf(taxId, (made as { result: { products: Product[] } }).result.products),
    )
    await price((contract as { result: { 'contract-id': string } }).result['contract-id'], taxId, post)
  }
  await post(`/operator/v1/requirement-rule/01995e0b-7c11-7f22-8b33-4d5e6f708193`, ofAlterations, 'PUT')
  const actors: Actor[] = []
  const clientIds = [operator.clientId]
  const add = async (name: string, api: Actor['api'], made: Record<string, string>, companyTaxIds: string[]) => {
    const client = { clientId: made['client-id'] ?? '', clientSecret: made['client-secret'] ?? '' }
    clientIds.push(client.clientId)
    actors.push({ name, api, token: await signIn(url, client), companyTaxIds })
  }
  for (const [n, taxIds] of [companies.slice(0, 2), companies.slice(2), companies.slice(1, 2), []].entries()) {
    const made = await post('/operator/v1/client', { name: `Folha ${n}`, 'company-tax-ids': taxIds })
    await add(`PARTNER_${n}_TOKEN`, 'partner', made, taxIds)
  }
  for (const [n, role] of roles.entries()) {
    const made = await post('/operator/v1/operator', { name: role, role })
    await add(`${role.toUpperCase()}${n < 4 ? '' : '_2'}_TOKEN`, 'operator', made, companies)
  }
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url?.startsWith('/refuse') === true ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  // Loopback only, or nothing that can be called.
  const webhookUrls = {
    valid: [`${hook}/hook`, `${hook}/hook/2`, `${hook}/refuse`, 'http://127.0.0.1:1/closed', `${hook}/?a=%00&b=é`],
    invalid: [
      'http://[::1]:1/',
      'http://169.254.169.254/',
      'ftp://127.0.0.1/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'http://a:b@127.0.0.1:1/',
      'http://127.0.0.1:99999/',
      'http://',
      'http://127.1:1/',
      '//127.0.0.1/',
      '',
    ],
  }
  return {
    world: { actors, webhookUrls },
    clientIds,
    async close() {
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
}

/** Puts prices, what employees pay of them, and how payroll takes it. */
async function price(
  contractId: string,
  taxId: string,
  send: (path: string, body: unknown, method?: string) => Promise<unknown>,
): Promise<void> {
  const ofContract = { 'contract-id': contractId, 'valid-from': '2026-01-01' }
  const prices = pricesOf('age-band-10', premiums)
  await send(`/operator/v1/price-table/${randomUUID()}`, { ...ofContract, kind: 'age-band-10', prices }, 'PUT')
  const share = { 'basis-points': 2_000 }
  const shares = {
    'primary-employee-share': share,
    'dependent-employee-share': share,
    'coparticipation-employee-share': share,
  }
  await send(`/operator/v1/contribution-rule/${randomUUID()}`, { ...ofContract, ...shares }, 'PUT')
  const events = { primary: '7611', dependent: '7612', coparticipation: '7613' }
  await send(`/operator/v1/company/${taxId}/payroll-profile`, { 'layout-id': 'payroll-csv', events }, 'PUT')
}

/** Alterations wait for a document. */
const ofAlterations = {
  name: 'Alterações',
  when: { movements: ['alteration'] },
  require: [{ 'any-of': ['proof-of-residency'], message: 'Comprovante' }],
}

interface Product {
  readonly 'product-id': string
  readonly 'carrier-name': string
}

/** A contract of the products of the first carrier: what is included is in its shipments. */
function contractOf(taxId: string, products: readonly Product[]): unknown {
  const carrierName = products[0]?.['carrier-name']
  return {
    'company-tax-id': taxId,
    'carrier-name': carrierName,
    'contract-number': '900001',
    plans: products
      .filter((one) => one['carrier-name'] === carrierName)
      .map((one) => ({ 'product-id': one['product-id'], 'carrier-plan-code': 'AE1230' })),
    calendar: { 'cut-off-day': 20, 'coverage-day': 1, 'coverage-month-offset': 1 },
    'retirement-remainder': 'proportional',
    'age-on': 'birthday-month',
    proration: 'daily-30',
    'code-map': [{ code: '17', status: 'pending-correction' }],
  }
}

async function signIn(url: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  return String((await call(url, 'POST', '/v1/authenticate', null, body))['access-token'])
}

async function call(
  url: string,
  method: string,
  path: string,
  token: string | null,
  body: unknown,
): Promise<Record<string, string>> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}
