import { randomUUID } from 'node:crypto'
import type { ApiResponse, Client, Company, TestApp, Json } from './test-app.ts'
import { health, nextCpf } from './test-app.ts'

export const path = '/operator/v1/member/import'

/** A line as an object: a primary in health, active since long. */
export function holder(company: Company, overrides: Record<string, unknown> = {}): Record<string, Json> {
  return {
    'company-tax-id': company.taxId,
    'beneficiary-type': 'primary',
    name: 'Conceição Müller',
    'tax-id': nextCpf(),
    'mothers-name': 'Ana Müller',
    'date-of-birth': '1980-02-29',
    gender: 'female',
    'product-name': health,
    'start-date': '2024-03-01',
    ...overrides,
  }
}

/** A line of a dependent of the primary with that CPF. */
export function dependentOf(
  company: Company,
  primaryTaxId: string,
  overrides: Record<string, unknown> = {},
): Record<string, Json> {
  return holder(company, {
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': primaryTaxId,
    'dependent-type': 'child',
    'date-of-birth': '2015-06-07',
    ...overrides,
  })
}

export function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}

/** The lines as a CSV whose header has every key that one of them has. */
export function csv(lines: readonly Record<string, unknown>[], separator = ';'): string {
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))]
  const rows = lines.map((line) => columns.map((column) => cell(line[column], separator)).join(separator))
  return `${[columns.join(separator), ...rows].join('\r\n')}\r\n`
}

function cell(value: unknown, separator: string): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export interface ImportOptions {
  readonly query?: string
  readonly type?: string
}

export function sendImport(client: Client, body: string | Buffer, options: ImportOptions = {}): Promise<ApiResponse> {
  const { query = '', type = 'application/x-ndjson' } = options
  return client.post(path + query, body, { 'content-type': type })
}

export function newId(): string {
  return randomUUID()
}

/** The person's benefits as a partner's list shows them, with the profile; undefined when the CPF is not in the list. */
export async function memberOf(partner: Client, taxId: string): Promise<Json> {
  const response = await partner.get(`/v1/member?include-inactive=true&filter=tax-id%3D${taxId}`)
  return response.body.result[0]
}

/** Everything in the book's tables, to compare. */
export async function rosterOf(testApp: TestApp): Promise<Json> {
  const [row] = await testApp.sql(
    `select (select json_agg(m order by m.company_id, m.id) from member m) as members,
       (select json_agg(b order by b.company_id, b.id) from benefit b) as benefits,
       (select count(*)::int from event) as events, (select count(*)::int from enrollment) as enrollments`,
  )
  return row
}
