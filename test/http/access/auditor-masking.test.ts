import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { maskCpf, maskForAuditor } from '#kernel/masking.ts'
import { enroll, openShipper, type Shipper } from '../../world/shipment.ts'
import { insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { csv, holder, sendImport } from '../../world/import.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  primary,
  useTestApp,
} from '../../world/test-app.ts'
import { makeEndpoint } from '../../world/receiver.ts'

/* An auditor reads what operators read, without CPFs and bank data. */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const openapi: Json = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

const bank = {
  'bank-number': '0773',
  'bank-branch-number': '991384',
  'bank-account-number': '55443322-1',
  'bank-account-owners-name': 'Genoveva Tentilhão Dourado',
  'bank-account-owners-tax-id': nextCpf(),
}
const month = '2026-11'
let shipper: Shipper
let requestId: string
let importId: string
const taxIds = new Set<string>()

beforeAll(async () => {
  shipper = await openShipper(testApp)
  const { company, partner, contractId } = shipper
  await makeEndpoint(partner, 'http://127.0.0.1:59999/')
  const mother = primary(bank)
  const child = dependent(mother['tax-id'])
  const refused = primary(bank)
  for (const one of [mother, child, refused]) taxIds.add(one['tax-id'])
  taxIds.add(bank['bank-account-owners-tax-id'])
  const [enrollmentId = ''] = await enroll(testApp, shipper, [mother, child])
  const approved = primary(bank)
  taxIds.add(approved['tax-id'])
  await testApp.include(partner, company, [approved], '?resolution=approve')
  const text = `Falei com a mãe, CPF ${mother['tax-id'].replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')}`
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${enrollmentId}/note`, { text }))
  await testApp.include(partner, company, [refused], '?resolution=reject')
  const exclusion = { 'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' } }
  const path = `/v1/enrollment/exclusion/${approved['tax-id']}/product/${company.products[health]}`
  requestId = expectOk(await partner.post(path, exclusion)).body['request-id']
  await testApp.finished(partner, requestId)
  const corrected = nextCpf()
  taxIds.add(corrected)
  const data = { 'alteration-data': { ...bank, 'tax-id': corrected } }
  expectOk(await partner.post(`/v1/enrollment/alteration/${approved['tax-id']}`, data))
  const rejected = holder(company, { 'start-date': 'nunca' })
  taxIds.add(rejected['tax-id'])
  importId = (await sendImport(testApp.operator, csv([rejected]), { type: 'text/csv' })).body['import-id']
  const [benefit] = await testApp.sql('select id from benefit where company_id = $1 and type = $2', [
    company.id,
    'primary',
  ])
  await insertCarrierFile(testApp, company, contractId, {
    month,
    lines: [{ amount: 25_000, benefitId: benefit?.['id'] }],
  })
})

/** The values of each key in a JSON value. */
function collect(value: Json, found: Map<string, Set<string>>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries<Json>(value)) {
    if (typeof inner === 'string') found.set(key, (found.get(key) ?? new Set()).add(inner))
    else collect(inner, found)
  }
}

/** The paths of every operation that an auditor may read, with the ids of what the lists show. */
async function pathsOfAuditor(): Promise<string[]> {
  const ids = new Map<string, Set<string>>([['reference-month', new Set([month])]])
  ids.set('q', new Set(['a', ...taxIds]))
  const reads = Object.entries<Json>(openapi.paths).filter(([, { get }]) => get?.['x-roles']?.includes('auditor'))
  const complete = (template: string, names: readonly string[]): string[] => {
    const [name, ...others] = names
    if (name === undefined) return [template]
    const values = [...(ids.get(name) ?? [])].slice(0, 8)
    return values.flatMap((value) => {
      const encoded = encodeURIComponent(value)
      const isInPath = template.includes(`{${name}}`)
      const sign = template.includes('?') ? '&' : '?'
      return complete(
        isInPath ? template.replace(`{${name}}`, encoded) : `${template}${sign}${name}=${encoded}`,
        others,
      )
    })
  }
  const namesOf = (path: string, get: Json): string[] => [
    ...[...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
    ...(get.parameters ?? []).flatMap((one: Json) => (one.in === 'query' && one.required ? [one.name] : [])),
  ]
  const paths: string[] = []
  // The lists first: they have the ids.
  for (const [path, { get }] of reads.toSorted(([a], [b]) => a.split('{').length - b.split('{').length)) {
    for (const one of complete(path, namesOf(path, get))) {
      const { status, body } = await testApp.operator.get(one)
      if (status === 200) collect(body, ids)
      paths.push(one)
    }
  }
  return paths
}

const secrets = () => [
  ...[...taxIds].flatMap((cpf) => [cpf, cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')]),
  bank['bank-account-number'],
  bank['bank-branch-number'],
  bank['bank-account-owners-name'],
]
const shown = ({ text }: ApiResponse) => secrets().filter((secret) => text.includes(secret))

test('no response to an auditor has a CPF or bank data, and the admin’s of the same paths have', async () => {
  const auditor = await testApp.operatorOf('auditor')
  const paths = await pathsOfAuditor()
  const templates = new Set(paths.map((path) => path.replace(/\?.*/, '').split('/').length))
  expect(paths.length).toBeGreaterThan(60)
  expect(templates.size).toBeGreaterThan(3)
  const leaks: string[] = []
  let clear = 0
  for (const path of paths) {
    if (/\/document\/|\/invoice\/[^/]+\/download$/.test(path)) continue
    const response = await auditor.get(path)
    expect([path, response.status]).not.toEqual([path, 403])
    leaks.push(...shown(response).map((secret) => `${path} ${secret}`))
    if (shown(await testApp.operator.get(path)).length > 0) clear += 1
  }
  expect(leaks).toEqual([])
  expect(clear).toBeGreaterThan(5)
})

test('an auditor reads a request with the parts of each person, and the errors of an import without the lines', async () => {
  const auditor = await testApp.operatorOf('auditor')
  const path = `/operator/v1/request/${requestId}`
  const [clear, masked] = [await testApp.operator.get(path), await auditor.get(path)]
  const parts = (response: ApiResponse) => expectOk(response).body.result['status-by-tax-id']
  expect(Object.values(parts(masked))).toEqual(Object.values(parts(clear)))
  expect(Object.keys(parts(masked))).toEqual(Object.keys(parts(clear)).map(maskCpf))
  for (const accept of ['application/x-ndjson', 'text/csv']) {
    const errors = await auditor.get(`/operator/v1/member/import/${importId}/error`, { accept })
    expect(JSON.parse(expectOk(errors).text)).toMatchObject({ line: 2, content: null })
  }
})

test.each([
  [{ 'tax-id': '529.982.247-25' }, { 'tax-id': '***.982.247-**' }],
  [{ 'tax-id': 52_998_224_725 }, { 'tax-id': '***.982.247-**' }],
  [{ 'tax-id': '5299822472' }, { 'tax-id': '***' }],
  [{ 'tax-id': '12ABC34501DE35' }, { 'tax-id': '12ABC34501DE35' }],
  [{ 'tax-id': '11.222.333/0001-81' }, { 'tax-id': '11.222.333/0001-81' }],
  [{ text: 'CPF 529.982.247-25, tel. 11987654321' }, { text: 'CPF ***.982.247-**, tel. 11987654321' }],
  [
    { '52998224725': 1, '52998224725 (dependent)': 2 },
    { '***.982.247-**': 1, '***.982.247-** (dependent)': 2 },
  ],
  [
    { 'bank-number': '341', 'member-tax-id': 3, disabled: true, salary: 100 },
    { 'bank-number': '***', 'member-tax-id': 3, salary: 100 },
  ],
  [
    ['52998224725', null, 7],
    ['***.982.247-**', null, 7],
  ],
])('of %j an auditor gets %j', (value, masked) => {
  expect(maskForAuditor(value)).toEqual(masked)
})
