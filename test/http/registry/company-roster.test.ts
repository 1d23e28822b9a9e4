import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { ndjson, sendImport } from '../../world/import.ts'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  health,
  type Json,
  nextCpf,
  useTestApp,
} from '../../world/test-app.ts'

/* The people of a company: counted by product, and as a table in Portuguese. */

const testApp = useTestApp()
let company: Company
let other: Company
let analyst: Client
let auditor: Client
let mother: string
let child: string
let later: string

const formatted = (cpf: string) => cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
const roster = (query = '', by: Client = analyst, headers: Record<string, string> = {}) =>
  by.get(`/operator/v1/company/${company.taxId}/roster${query}`, headers)
const linesOf = (text: string) => text.split('\r\n').slice(0, -1)

beforeAll(async () => {
  company = await testApp.company()
  other = await testApp.company()
  analyst = await testApp.operatorOf('analyst')
  auditor = await testApp.operatorOf('auditor')
  ;[mother, child, later] = [nextCpf(), nextCpf(), nextCpf()]
  const line = (taxId: string, name: string, more: object = {}) => ({
    'company-tax-id': company.taxId,
    'beneficiary-type': 'primary',
    'tax-id': taxId,
    name,
    'mothers-name': 'Ana Müller',
    'date-of-birth': '1980-02-29',
    gender: 'female',
    'product-name': health,
    'start-date': '2024-03-01',
    ...more,
  })
  const lines = [
    line(later, 'Ávila Futura', { 'start-date': '2027-03-01' }),
    line(mother, 'Zilda Müller', {
      'marital-status': 'married',
      'employee-id': '00172',
      'card-number': '0045 1120',
      'admission-date': '2024-02-05',
    }),
    line(child, '=Caio Müller', {
      'beneficiary-type': 'dependent',
      'primary-member-tax-id': mother,
      'dependent-type': 'child',
      gender: 'male',
      'date-of-birth': '2015-06-07',
    }),
    line(nextCpf(), 'Antiga', { 'end-date': '2025-01-31' }),
    line(nextCpf(), 'De Outra', { 'company-tax-id': other.taxId }),
  ]
  const { accepted } = expectOk(await sendImport(testApp.operator, ndjson(lines))).body
  if (accepted !== lines.length) throw new Error(`only ${accepted} lines were imported`)
})

describe('GET /operator/v1/company/{company-tax-id}/headcount', () => {
  test('counts primaries, dependents and who is to start, by product', async () => {
    const path = `/operator/v1/company/${company.taxId}/headcount`
    const { result } = expectOk(await analyst.get(path)).body
    expect(result).toEqual([
      {
        'product-id': company.products[health],
        'product-name': health,
        'carrier-name': 'Operadora Aurora',
        'product-type': 'health-insurance',
        retired: false,
        primaries: 1,
        dependents: 1,
        starting: 1,
      },
    ])
    const put = await testApp.operator.put(`/operator/v1/company/${company.taxId}`, { ...companyBody, products: [] })
    expectOk(put)
    expect(expectOk(await analyst.get(path)).body.result).toEqual([{ ...result[0], retired: true }])
    expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}`, companyBody))
    const missing = await analyst.get('/operator/v1/company/11222333000181/headcount')
    expect([missing.status, missing.body.code]).toEqual([404, 'company-not-found'])
  })
})

describe('GET /operator/v1/company/{company-tax-id}/roster', () => {
  test('is CSV in Portuguese, with dependents after their primary', async () => {
    const response = expectOk(await roster())
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="vidas-${company.taxId}.csv"`)
    const cnpj = company.taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
    expect(linesOf(response.text)).toEqual([
      'CNPJ da empresa;Tipo de beneficiário;CPF;Nome;Nome da mãe;Data de nascimento;Sexo;Estado civil;Matrícula;Centro de custo;' +
        'Data de admissão;CPF do titular;Nome do titular;Parentesco;Produto;Operadora;Número da carteirinha;Início da vigência;' +
        'Fim da vigência;Situação',
      `${cnpj};Titular;${formatted(later)};Ávila Futura;Ana Müller;29/02/1980;Feminino;;;;;;;;${health};Operadora Aurora;;01/03/2027;;Ativo`,
      `${cnpj};Titular;${formatted(mother)};Zilda Müller;Ana Müller;29/02/1980;Feminino;Casado(a);00172;;05/02/2024;;;;${health};` +
        'Operadora Aurora;0045 1120;01/03/2024;;Ativo',
      `${cnpj};Dependente;${formatted(child)};'=Caio Müller;Ana Müller;07/06/2015;Masculino;;;;;${formatted(mother)};Zilda Müller;Filho(a);` +
        `${health};Operadora Aurora;;01/03/2024;;Ativo`,
    ])
    const all = linesOf(expectOk(await roster('?include-inactive=true')).text)
    expect(all.filter((line) => line.includes('Antiga'))).toEqual([
      expect.stringMatching(/;01\/03\/2024;31\/01\/2025;Inativo$/),
    ])
    expect(all).toHaveLength(5)
  })

  test('can be imported again, as CSV and as XLSX', async () => {
    const csv = expectOk(await roster('?include-inactive=true')).text
    const response = await fetch(`${testApp.url}/operator/v1/company/${company.taxId}/roster?include-inactive=true`, {
      headers: { authorization: `Bearer ${analyst.token}`, accept: xlsxType },
    })
    expect(response.headers.get('content-type')).toBe(xlsxType)
    const workbook = Buffer.from(await response.arrayBuffer())
    for (const [body, type] of [
      [csv, 'text/csv'],
      [workbook, xlsxType],
    ] as const) {
      const { body: judged } = expectOk(await sendImport(testApp.operator, body, { type, query: '?dry-run=true' }))
      expect([type, judged.accepted, judged.errors]).toEqual([type, 4, []])
    }
  })

  test('is audited; an auditor gets masked CPFs, another role nothing', async () => {
    const rows = () =>
      testApp.sql(`select actor, target from audit where action = 'company.roster-exported' order by at`)
    const before = (await rows()).length
    const masked = expectOk(await roster('', auditor)).text
    expect(masked).toContain(`***.${mother.slice(3, 6)}.${mother.slice(6, 9)}-**`)
    for (const cpf of [mother, child, later]) expect(masked).not.toContain(formatted(cpf))
    expectOk(await roster())
    const made = [auditor, analyst].map(({ clientId }) => ({ actor: clientId, target: company.id }))
    expect((await rows()).slice(before)).toEqual(made)
    expect((await roster('', await testApp.operatorOf('finance'))).status).toBe(403)
    const missing: Json = await analyst.get('/operator/v1/company/11222333000181/roster')
    expect([missing.status, missing.body.code]).toEqual([404, 'company-not-found'])
    expect((await rows()).length).toBe(before + 2)
  })
})

test('contacts of a company stay until others are sent, and no partner sees them', async () => {
  const path = `/operator/v1/company/${other.taxId}`
  const put = (more: object) => testApp.operator.put(path, { ...companyBody, ...more })
  const contacts = [
    { name: ' Rosa do RH ', email: 'rosa@empresa.example', phone: '(11) 98765-4321' },
    { name: 'Portaria' },
  ]
  const stored = [
    { name: 'Rosa do RH', email: 'rosa@empresa.example', phone: '11987654321' },
    { name: 'Portaria', email: null, phone: null },
  ]
  expect(expectOk(await put({ contacts })).body.result.contacts).toEqual(stored)
  expect(expectOk(await put({ name: 'Outro Nome' })).body.result.contacts).toEqual(stored)
  const [listed] = expectOk(await analyst.get('/operator/v1/company?q=outro%20nome')).body.result
  expect(listed.contacts).toEqual(stored)
  const partner = await testApp.partner(other.taxId)
  expect(expectOk(await partner.get(`/v1/company/${other.taxId}`)).body.result).not.toHaveProperty('contacts')
  expect(expectOk(await put({ contacts: [] })).body.result.contacts).toEqual([])
  const refused = await put({ contacts: [{ name: 'X', email: 'nobody' }] })
  expect([refused.status, refused.body.details[0].field]).toEqual([400, 'contacts[0].email'])
})
