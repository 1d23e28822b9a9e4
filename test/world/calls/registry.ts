import { randomUUID } from 'node:crypto'
import { contractBody, makeContract } from '../contract.ts'
import { companyBody, expectOk, health, nextCnpj, nextCpf, primary } from '../test-app.ts'
import { admin, analyst, auditor, chapter, movementRoles, reads, roles, type World, write } from './call.ts'

async function prepareCompanies({ testApp, company, operator }: World) {
  const [carrier] = expectOk(await operator.get('/operator/v1/carrier')).body.result
  const contract = await makeContract(testApp, company)
  return { company, carrier, contract: [contract['contract-id']], cnpjs: [nextCnpj(), nextCnpj()] as const }
}

export const companies = chapter(prepareCompanies, {
  ...reads(roles, 'readAnyCompany', 'searchCompanies', 'readCompanyHeadcount', 'search'),
  ...reads(movementRoles, 'exportCompanyRoster', 'readAnyRosterPolicy'),
  putRosterPolicy: write(admin, 'roster-policy.replaced', ({ company }) => ({
    path: [company.taxId],
    body: { automatic: ['inclusion'], 'guard-people': 20, 'guard-percent': 10, 'min-presence-percent': 80 },
  })),
  putCompany: write(admin, 'company.created', ({ cnpjs: [padaria, other] }) => {
    const call = { path: [padaria], body: { name: 'Padaria', products: [] } }
    const [product] = companyBody.products
    const products = [{ ...product, 'carrier-name': 'Operadora Inédita' }]
    return [
      call,
      { ...call, audit: 'company.replaced' },
      { path: [other], body: { name: 'Padaria', products }, audit: ['carrier.created', 'company.created'] },
    ]
  }),
  ...reads(roles, 'readImportTable'),
  ...reads(movementRoles, 'readColumnProfile'),
  putColumnProfile: write(analyst, 'column-profile.replaced', ({ company }) => ({
    path: [company.taxId],
    body: { columns: [{ heading: 'Funcionário', field: 'name' }] },
  })),
  deleteColumnProfile: write(analyst, 'column-profile.deleted', ({ company }) => ({ path: [company.taxId] })),
  ...reads(roles, 'listCarriers', 'readCarrier', 'listContracts', 'readContract', 'readContractCalendar'),
  ...reads(roles, 'listCutOffs'),
  ...reads(analyst, 'readContractChannel'),
  putCarrier: write(analyst, 'carrier.replaced', ({ carrier }) => ({
    path: [carrier['carrier-id']],
    body: { name: carrier.name, 'ans-registration': '326305' },
  })),
  createContract: write(analyst, 'contract.created', ({ company }) => ({
    body: contractBody(company, { 'contract-number': '900002' }),
  })),
  putContract: write(analyst, 'contract.replaced', ({ company, contract }) => ({
    path: contract,
    body: contractBody(company, { lives: 'up-to-29' }),
  })),
  putContractChannel: write(admin, 'contract-channel.replaced', ({ contract }) => ({
    path: contract,
    body: { connector: { url: 'https://pls.broker.example/' } },
  })),
})

const layout = {
  name: 'Aurora',
  direction: 'movement',
  definition: { format: 'csv', records: [{ name: 'movement', columns: [{ heading: 'Nome', source: 'person.name' }] }] },
}

/** A layout, a view, a rule of required documents that a movement waits for, and a legal hold. */
async function prepareRules({ testApp, operator }: World) {
  const other = await testApp.company()
  const made = expectOk(await operator.post('/operator/v1/layout', layout)).body.result
  const rule = randomUUID()
  const body = {
    name: 'Titular',
    when: { 'company-tax-ids': [other.taxId], 'beneficiary-types': ['primary'] },
    require: [{ 'any-of': ['proof-of-residency'], message: 'Comprovante de endereço' }],
  }
  expectOk(await operator.put(`/operator/v1/requirement-rule/${rule}`, body))
  const member = primary()
  const request = await testApp.include(await testApp.partner(other.taxId), other, [member])
  const waiting: string = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  const reason = { 'tax-id': nextCpf(), reason: 'Processo' }
  const { 'legal-hold-id': hold } = expectOk(await operator.post('/operator/v1/legal-hold', reason)).body.result
  return { layout: [made['layout-id']], view: [randomUUID()], rule: [rule], body, waiting, hold: [hold] }
}

/** Layouts, required documents, views and legal holds. */
export const rules = chapter(prepareRules, {
  ...reads(roles, 'listLayouts', 'readLayout'),
  ...reads(analyst, 'previewLayout'),
  createLayout: write(analyst, 'layout.created', () => ({ body: layout })),
  putLayout: write(analyst, 'layout.replaced', (of) => ({ path: of.layout, body: layout })),
  ...reads(roles, 'listRequirementRules', 'readRequirementRule', 'simulateRequirements'),
  waiveRequirement: write(analyst, ['enrollment.created', 'requirement.waived'], ({ waiting }) => ({
    path: [waiting, 1],
    body: { reason: 'Dispensado' },
  })),
  putRequirementRule: write(analyst, 'requirement-rule.created', ({ rule, body }) => [
    { path: [randomUUID()], body: { ...body, name: 'Outra' } },
    { path: rule, body, audit: 'requirement-rule.replaced' },
  ]),
  deleteRequirementRule: write(analyst, 'requirement-rule.deleted', ({ rule }) => ({ path: rule })),
  ...reads(movementRoles, 'listViews'),
  putView: write(analyst, 'view.created', ({ view }) => {
    const call = { path: view, body: { area: 'queue', name: 'Atrasadas', filters: { due: 'overdue' } } }
    return [call, { ...call, audit: 'view.replaced' }]
  }),
  deleteView: write(analyst, 'view.deleted', ({ view }) => ({ path: view })),
  ...reads(roles, 'readSettings'),
  putSettings: write(admin, 'settings.replaced', () => ({ body: { 'broker-name': 'Corretora Horizonte' } })),
  ...reads(auditor, 'listLegalHolds'),
  setLegalHold: write(admin, 'legal-hold.set', () => ({ body: { 'tax-id': nextCpf(), reason: 'Processo' } })),
  releaseLegalHold: write(admin, 'legal-hold.released', ({ hold }) => ({ path: hold, body: { reason: 'Arquivado' } })),
})
