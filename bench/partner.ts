import { readFileSync } from 'node:fs'
import { completeCnpj } from '../src/domain/tax-id.ts'
import { cpfAt } from '../test/data/people.ts'
import { operator } from './bench.ts'

/** The company of the tests and benches, as the operator puts it. */
const companyBody = JSON.parse(readFileSync(new URL('../test/data/company.json', import.meta.url), 'utf8')) as Record<
  string,
  unknown
>

export interface Partner {
  readonly clientId: string
  readonly headers: { readonly authorization: string }
  readonly companyTaxIds: string[]
}

/** Puts companies and makes a partner entitled to them all, through the service's own doors. */
export async function makePartner(url: string, companies: number): Promise<Partner> {
  const admin = await signIn(url, operator.id, operator.secret)
  const companyTaxIds = Array.from({ length: companies }, (_, n) =>
    completeCnpj(`BENCH${String(n).padStart(3, '0')}0001`),
  )
  for (const [n, taxId] of companyTaxIds.entries()) {
    const { 'company-tax-id': _, ...body } = companyBody
    await call(url, 'PUT', `/operator/v1/company/${taxId}`, admin, { ...body, name: `Companhia ${n}` })
  }
  const made = await call(url, 'POST', '/operator/v1/client', admin, {
    name: 'Folha',
    'company-tax-ids': companyTaxIds,
  })
  const clientId = String(made['client-id'])
  return { clientId, headers: await signIn(url, clientId, String(made['client-secret'])), companyTaxIds }
}

/** The header of a client or operator. */
export async function signIn(url: string, clientId: string, clientSecret: string): Promise<{ authorization: string }> {
  const body = { 'client-id': clientId, 'client-secret': clientSecret }
  const response = await call(url, 'POST', '/v1/authenticate', {}, body)
  return { authorization: `Bearer ${String(response['access-token'])}` }
}

/** One call that must succeed. */
export async function call(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
}

let serial = 0

/** Sets the number of the last person that was made: people of another number have another CPF. */
export function startPeopleAfter(n: number): void {
  serial = n
}

/**
 * An inclusion of that many new people, of about 500 bytes each: families of
 * a primary and two dependents at most, everybody in the health product.
 */
export function payroll(companyTaxId: string, members: number): string {
  const list: Record<string, unknown>[] = []
  for (let family = 0; list.length < members; family += 1) {
    const holder = person({ 'beneficiary-type': 'primary' }, employment())
    list.push(holder)
    for (let n = 0; n < family % 3 && list.length < members; n += 1) {
      list.push(
        person({
          'beneficiary-type': 'dependent',
          'primary-member-tax-id': holder['tax-id'],
          'dependent-type': 'child',
        }),
      )
    }
  }
  return JSON.stringify({ 'company-tax-id': companyTaxId, members: list })
}

function person(role: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> {
  serial += 1
  return {
    ...role,
    name: `Conceição Letícia Kobayashi Müller ${serial}`,
    'tax-id': cpfAt(serial),
    'mothers-name': 'Ana Helena da Silva Kobayashi',
    'date-of-birth': role['beneficiary-type'] === 'primary' ? '1990-05-17' : '2020-01-31',
    gender: 'female',
    products: {
      'health-insurance': [{ name: 'Saúde Essencial Enfermaria', 'start-option': 'on-inclusion-date' }],
    },
    ...more,
  }
}

function employment(): Record<string, unknown> {
  const n = serial + 1
  return {
    'marital-status': 'single',
    'admission-date': '2022-05-03',
    'work-contract-type': 'brazil-labor-law',
    'job-title': 'Analista de Produção',
    'employee-id': `E${n}`,
    'cost-center': `CC-${n % 200}`,
    salary: 2_201_631,
    'email-corporate': `e${n}@serraazul.example`,
    'email-private': `pessoa${n}@mail.example`,
    phone: '11925618483',
  }
}
