import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  nextCpf,
  type TestApp,
} from './test-app.ts'

/* Lists of who should be covered: the people, what a company has of them, and how a list is sent. */

/** A primary as a list states it, one product a line. */
export function employee(n: number, overrides: Json = {}): Json {
  return {
    'beneficiary-type': 'primary',
    'tax-id': nextCpf(),
    name: `${first[n % first.length]} ${middle[n % middle.length]} ${last[n % last.length]}`,
    'mothers-name': `Nair ${middle[n % middle.length]}`,
    'date-of-birth': `19${60 + (n % 40)}-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    gender: n % 2 === 0 ? 'male' : 'female',
    'employee-id': `V-${String(n).padStart(4, '0')}`,
    'admission-date': '2020-03-02',
    'product-name': health,
    ...overrides,
  }
}

/** A child of a primary. */
export function child(of: Json, overrides: Json = {}): Json {
  return {
    'beneficiary-type': 'dependent',
    'tax-id': nextCpf(),
    name: `Helena ${of.name.split(' ').slice(1).join(' ')}`,
    'mothers-name': 'Nair Duarte Reis',
    'date-of-birth': '2015-04-09',
    gender: 'female',
    'primary-member-tax-id': of['tax-id'],
    'dependent-type': 'child',
    'product-name': of['product-name'],
    ...overrides,
  }
}

const first = ['Otávio', 'Lúcia', 'Igor', 'Sônia', 'Camila', 'Wagner', 'Beatriz', 'Davi', 'Paulo', 'Rafael', 'Nair']
const middle = ['Ferraz', 'Pires', 'Duarte', 'Lopes', 'Campos', 'Nogueira', 'Quadros']
const last = [
  'Monteiro',
  'Alcântara',
  'Reis',
  'Tavares',
  'Leal',
  'Prates',
  'Lins',
  'Brum',
  'Souza',
  'Andrade',
  'Vieira',
  'Rocha',
  'Moraes',
]

const lines = (rows: readonly Json[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The people as the carrier has them since 2024. */
export async function covered(
  app: TestApp,
  company: Company,
  people: readonly Json[],
  startDate = '2024-03-01',
): Promise<void> {
  const rows = people.map((person) => ({ 'company-tax-id': company.taxId, 'start-date': startDate, ...person }))
  const headers = { 'content-type': 'application/x-ndjson' }
  const { body } = expectOk(await app.operator.post('/operator/v1/member/import', lines(rows), headers))
  if (body.rejected > 0) throw new Error(`the import refused ${JSON.stringify(body.errors)}`)
}

const ndjson = { 'content-type': 'application/x-ndjson', prefer: 'wait=60' }

/** Makes a sync of a company's list, without the list. */
export async function openSync(client: Client, company: Company, statement: Json, api = '/v1'): Promise<Json> {
  return expectOk(await client.post(`${api}/roster-sync`, { 'company-tax-id': company.taxId, ...statement })).body
    .result
}

export const putList = (
  client: Client,
  sync: Json,
  list: string | Buffer,
  api = '/v1',
  headers: Record<string, string> = ndjson,
): Promise<ApiResponse> => client.put(`${api}/roster-sync/${sync['roster-sync-id']}/file`, list, headers)

/** Sends a list and waits for its comparison. @returns the sync. */
export async function sendList(
  client: Client,
  company: Company,
  people: readonly Json[],
  statement: Json,
  api = '/v1',
): Promise<Json> {
  const sync = await openSync(client, company, statement, api)
  return expectOk(await putList(client, sync, lines(people), api)).body.result
}

/** The items of the draft of a sync. */
export async function itemsOf(client: Client, sync: Json, query = '', api = '/v1'): Promise<Json[]> {
  if (sync['draft-id'] === null) return []
  const items: Json[] = []
  for (let page = 1; ; page += 1) {
    const { body } = expectOk(
      await client.get(`${api}/movement-draft/${sync['draft-id']}/item?items-per-page=500&page=${page}${query}`),
    )
    items.push(...body.result)
    if (items.length >= body.pagination['total-items'] || body.result.length === 0) return items
  }
}

/** The proposed items, as class and name. */
export const proposedOf = (items: readonly Json[]): string[] =>
  items
    .filter(({ status }) => status === 'proposed')
    .map((item) => `${item.class} ${item['tax-id']}`)
    .toSorted()

export const confirmDraft = (client: Client, sync: Json, body: Json, api = '/v1'): Promise<ApiResponse> =>
  client.post(`${api}/movement-draft/${sync['draft-id']}/confirm`, body, { prefer: 'wait=60' })
