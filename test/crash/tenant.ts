import { randomBytes } from 'node:crypto'
import { companyBody, dental, expectOk, health, type Json, life, monday, nextCnpj, send } from '../world/test-app.ts'
import type { Products, Target } from './load.ts'

export const products: Products = { health, dental, life }

const operatorId = 'first-operator'
const operatorSecret = 'a-secret-of-the-test-operator-4711'

/** The environment of a service on a PostgreSQL that it does not run itself. */
export function variablesOn(databaseUrl: string): Record<string, string> {
  return {
    VIGENCIA_DATABASE_URL: databaseUrl,
    VIGENCIA_MASTER_KEY: randomBytes(32).toString('base64'),
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_OPERATOR_CLIENT_ID: operatorId,
    VIGENCIA_OPERATOR_CLIENT_SECRET: operatorSecret,
    VIGENCIA_BUSINESS_DATE: monday,
    VIGENCIA_RATE_LIMITS: 'off',
  }
}

export interface Tenant extends Target {
  readonly clientId: string
  readonly clientSecret: string
  readonly operatorToken: string
  /** By product name. */
  readonly productIds: Readonly<Record<string, string>>
}

/** A company with its own partner, created through the operator API. */
export async function openTenant(url: string): Promise<Tenant> {
  const tokenOf = async (id: string, secret: string): Promise<string> => {
    const body = { 'client-id': id, 'client-secret': secret }
    return expectOk(await send(`${url}/v1/authenticate`, 'POST', { body })).body['access-token']
  }
  const operatorToken = await tokenOf(operatorId, operatorSecret)
  const companyTaxId = nextCnpj()
  const as = { token: operatorToken }
  const company = await send(`${url}/operator/v1/company/${companyTaxId}`, 'PUT', { ...as, body: companyBody })
  const made: Json[] = expectOk(company).body.result.products
  const client = { name: 'Folha', 'company-tax-ids': [companyTaxId] }
  const created = expectOk(await send(`${url}/operator/v1/client`, 'POST', { ...as, body: client })).body
  const { 'client-id': clientId, 'client-secret': clientSecret } = created
  return {
    url,
    companyTaxId,
    clientId,
    clientSecret,
    operatorToken,
    productIds: Object.fromEntries(made.map((product) => [product['product-name'], product['product-id']])),
    token: await tokenOf(clientId, clientSecret),
  }
}
