import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  dependent,
  health,
  type Json,
  life,
  nextCpf,
  primary,
  useCompany,
  useTestApp,
} from '../../world/test-app.ts'

/*
 * Mistakes of an integrator. `send` of the test app checks that every error has the `message` and `help` of its code; here, that the rest says
 * what is wrong, where, and what to do.
 */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
const covered = { taxId: '' }

beforeAll(async () => {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  covered.taxId = member['tax-id'] as string
})

type Mistake = (headers: Record<string, string>) => Promise<ApiResponse>

const portuguese = { 'accept-language': 'pt-BR' }

const include =
  (member: () => unknown, body: Json = {}): Mistake =>
  (headers) => {
    const members = [member()].flat()
    return partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members, ...body }, headers)
  }
const withField = (field: string, value: unknown): Mistake => include(() => primary({ [field]: value }))
const inProduct = (changes: Json, type = 'health-insurance') =>
  withField('products', { [type]: [{ name: health, 'start-option': 'on-inclusion-date', ...changes }] })
const ofDependent = (changes: Json): Mistake => include(() => dependent(covered.taxId, changes))
const exclude =
  (details: unknown, member: Json = {}): Mistake =>
  (headers) => {
    const members = [
      { 'tax-id': covered.taxId, ...(details === undefined ? {} : { 'exclusion-details': details }), ...member },
    ]
    return partner.post('/v1/enrollment/exclusion', { 'company-tax-id': company.taxId, members }, headers)
  }
const alter =
  (data: unknown, member: Json = {}): Mistake =>
  (headers) => {
    const members = [{ 'tax-id': covered.taxId, 'alteration-data': data, ...member }]
    return partner.post('/v1/enrollment/alteration', { 'company-tax-id': company.taxId, members }, headers)
  }
const unknownId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const noDocument = { 'document-id': 'x', 'document-type': 'other' }
const twice = (member: Json) => [member, member]
const keyAgain: Mistake = async (headers) => {
  const key = { 'idempotency-key': `again ${nextCpf()}` }
  await partner.post('/v1/enrollment/inclusion', { a: 1 }, key)
  return partner.post('/v1/enrollment/inclusion', { a: 2 }, { ...headers, ...key })
}
const leaves = { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' }

/** What a program reads of the first offense, and what stands in its sentences: in English and in Portuguese. */
const offenses: readonly (readonly [string, Mistake, Json, string, string])[] = [
  [
    'a missing field',
    withField('name', null),
    { code: 'missing-name', field: 'name' },
    '`name` is missing.',
    'Preencha o campo “Nome”.',
  ],
  [
    'a name that says nothing',
    withField('name', 'N/A'),
    { code: 'invalid-name' },
    'not a word for nothing',
    'Informe um nome',
  ],
  ...(
    [
      ['a date as 01/02/1990', '01/02/1990'],
      ['a time for a date', '1990-02-01T00:00:00Z'],
      ['a day that does not exist', '1990-02-30'],
    ] as const
  ).map(
    ([name, value]) =>
      [
        name,
        withField('date-of-birth', value),
        { code: 'invalid-date-of-birth', expected: expect.stringContaining('YYYY-MM-DD') },
        'a date, `YYYY-MM-DD`',
        'AAAA-MM-DD',
      ] as const,
  ),
  [
    'a birth after today',
    withField('date-of-birth', '2030-02-01'),
    { code: 'invalid-date-of-birth' },
    'Not after today.',
    'até hoje',
  ],
  [
    'a CPF as a number',
    withField('tax-id', 52_998_224_725),
    { expected: 'a valid CPF' },
    'Send it as text',
    'Envie como texto',
  ],
  [
    'a CPF without its zeros',
    withField('tax-id', '1234567890'),
    { expected: 'a valid CPF' },
    'lacks its leading zeros',
    'zeros à esquerda',
  ],
  [
    'a CPF with a wrong digit',
    withField('tax-id', '52998224726'),
    { code: 'invalid-tax-id' },
    'a CPF, digits only or formatted',
    '11 dígitos',
  ],
  [
    'an amount as text',
    withField('salary', '5.230,00'),
    { code: 'invalid-salary' },
    'a whole number of cents',
    'centavos',
  ],
  [
    'an amount in reais',
    withField('salary', 5230.5),
    { code: 'invalid-salary' },
    'a whole number of cents',
    'centavos',
  ],
  [
    'no products',
    withField('products', undefined),
    { code: 'missing-products' },
    'An object of product types',
    'ao menos um produto',
  ],
  [
    'a list of products',
    withField('products', [{ name: health }]),
    { code: 'invalid-products' },
    'an object of product types',
    'com nome e opção',
  ],
  [
    'a product by its id',
    inProduct({ name: unknownId }),
    { code: 'unknown-product' },
    'GET /v1/company',
    'Confira o nome',
  ],
  [
    'a product misspelt',
    inProduct({ name: health.slice(0, -2) }),
    { suggestion: health },
    `Did you mean ${health}?`,
    `Você quis dizer ${health}?`,
  ],
  [
    'another product type',
    inProduct({}, 'health'),
    { suggestion: 'health-insurance' },
    'Did you mean health-insurance?',
    'quis dizer health-insurance?',
  ],
  [
    'a start option misspelt',
    inProduct({ 'start-option': 'on-admission' }),
    { suggestion: 'on-admission-date', allowed: expect.arrayContaining(['on-inclusion-date']) },
    'Did you mean on-admission-date?',
    'Em JSON: on-inclusion-date, ',
  ],
  [
    'a start option that the product does not allow',
    withField('products', { 'life-insurance': [{ name: life, 'start-option': 'on-inclusion-date' }] }),
    { allowed: ['on-admission-date'] },
    'Send one of: on-admission-date.',
    'Valores aceitos: on-admission-date.',
  ],
  [
    'a gender of a spreadsheet',
    withField('gender', 'M'),
    { suggestion: 'male', allowed: ['male', 'female'] },
    'Did you mean male?',
    'Em JSON: male, female.',
  ],
  [
    'a gender in Portuguese',
    withField('gender', 'feminino'),
    { suggestion: 'female' },
    'Did you mean female?',
    'Você quis dizer female?',
  ],
  [
    'a role in Portuguese',
    withField('beneficiary-type', 'titular'),
    { suggestion: 'primary' },
    'Did you mean primary?',
    'Em JSON: primary, dependent.',
  ],
  [
    'a dependent type in Portuguese',
    ofDependent({ 'dependent-type': 'filho' }),
    { suggestion: 'child' },
    'Did you mean child?',
    'Em JSON: spouse, ',
  ],
  [
    'a dependent type that the product does not allow',
    ofDependent({ 'dependent-type': 'parent' }),
    { allowed: expect.arrayContaining(['spouse', 'child']) },
    'Send one of: spouse, ',
    'Valores aceitos: spouse, ',
  ],
  [
    'a dependent without a primary',
    ofDependent({ 'primary-member-tax-id': null }),
    { code: 'missing-primary-member-tax-id' },
    'A CPF',
    'CPF do titular',
  ],
  [
    'a dependent of nobody',
    include(() => dependent(nextCpf())),
    { code: 'primary-member-not-found' },
    'include the primary',
    'inclua o titular',
  ],
  ['somebody twice', include(() => twice(primary())), { code: 'duplicated-member' }, 'Keep one.', 'Deixe só uma'],
  [
    'somebody enrolled',
    include(() => primary({ 'tax-id': covered.taxId })),
    { code: 'already-enrolled' },
    'Leave the product out',
    'Retire o produto',
  ],
  [
    'a telephone without area code',
    withField('phone', '3456-7890'),
    { code: 'invalid-phone' },
    '10 or 11 digits',
    '10 ou 11 dígitos',
  ],
  [
    'an e-mail without a domain',
    withField('email-private', 'maria'),
    { code: 'invalid-email-private' },
    'e-mail address',
    'nome@empresa',
  ],
  [
    'a document that is not there',
    withField('documents', [noDocument]),
    { reason: 'unknown', 'document-index': 0 },
    'at index 0 was not uploaded',
    'índice 0 não foi enviado',
  ],
  [
    'a document type in Portuguese',
    withField('documents', [{ ...noDocument, 'document-type': 'rg' }]),
    { reason: 'invalid', 'document-index': 0, allowed: expect.arrayContaining(['other']) },
    'documents[0].document-type: One of `',
    'documents[0].document-type: valores aceitos: ',
  ],

  [
    'exclusion details without their object',
    exclude(undefined, leaves),
    { field: 'end-date', suggestion: 'exclusion-details.end-date' },
    'Did you mean exclusion-details.end-date?',
    'Você quis dizer exclusion-details.end-date?',
  ],
  [
    'an end before the start',
    exclude({ ...leaves, 'end-date': '2020-01-01' }),
    { reason: 'before-start-date' },
    'Send the day of the start',
    'Informe a data do início',
  ],
  [
    'no end',
    exclude({ 'exclusion-reason': 'dismissal' }),
    { reason: 'missing' },
    'Required and absent.',
    'Preencha o campo “Fim da vigência”.',
  ],
  [
    'an unknown reason',
    exclude({ ...leaves, 'exclusion-reason': 'layoff' }),
    { reason: 'invalid', allowed: expect.arrayContaining(['dismissal']) },
    'One of `requested-by-beneficiary`',
    'Valores aceitos: requested-by-beneficiary',
  ],
  [
    'another reason without details',
    exclude({ ...leaves, 'exclusion-reason': 'other' }),
    { reason: 'missing' },
    'exclusion-reason-details',
    'Detalhes do motivo',
  ],
  [
    'an unknown field of an exclusion',
    exclude({ ...leaves, 'end-dat': 'x' }),
    { suggestion: 'end-date' },
    'Did you mean end-date?',
    'Você quis dizer end-date?',
  ],
  [
    'a CPF of nobody',
    exclude(leaves, { 'tax-id': nextCpf() }),
    { code: 'member-not-found' },
    'Correct the CPF',
    'Confira o CPF',
  ],
  [
    'a document of an exclusion that is not there',
    exclude({ ...leaves, documents: [noDocument] }),
    { reason: 'unknown', 'document-index': 0 },
    'at index 0 was not uploaded',
    'índice 0 não foi enviado',
  ],

  [
    'the salary of an inclusion',
    alter({ salary: 523_000 }),
    { suggestion: 'monthly-salary' },
    'Did you mean monthly-salary?',
    'quis dizer monthly-salary?',
  ],
  [
    'alteration data without their object',
    alter(undefined, { 'monthly-salary': 523_000 }),
    { suggestion: 'alteration-data.monthly-salary' },
    'Did you mean alteration-data.monthly-salary?',
    'quis dizer alteration-data.monthly-salary?',
  ],
  [
    'an alteration of nothing',
    alter({}),
    { reason: 'nothing-to-alter' },
    'Send at least one value',
    'ao menos um dado novo',
  ],
  [
    'a marital status in Portuguese',
    alter({ 'marital-status': 'casado' }),
    { allowed: expect.arrayContaining(['married']) },
    '`married`',
    'married',
  ],
  [
    'an altered birth after today',
    alter({ 'date-of-birth': '2030-01-01' }),
    { reason: 'invalid' },
    'Not after today.',
    'posterior a hoje',
  ],
  [
    'a product of nobody',
    alter({ 'new-product-id': unknownId }),
    { reason: 'unknown-product' },
    'does not offer the product',
    'não oferece este produto',
  ],
  [
    'a document of an alteration that is not there',
    alter({ 'marital-status': 'married', documents: [noDocument] }),
    { 'document-index': 0 },
    'at index 0',
    'índice 0',
  ],
]

describe('an offense says what is wrong and what to do:', () => {
  test.each(offenses)('%s', async (_, mistake, detail, english, inPortuguese) => {
    const first = async (headers: Record<string, string>) => {
      const { status, body } = await mistake(headers)
      expect([status, body.code]).toEqual([400, 'invalid-members'])
      return body.result[0]['offense-details'][0]
    }
    expect(await first({})).toMatchObject({ ...detail, message: expect.stringContaining(english) })
    expect((await first(portuguese)).message).toContain(inPortuguese)
  })
})

test.each([
  [
    'date_of_birth',
    'date-of-birth',
    include(() => ({ ...primary(), 'date-of-birth': undefined, date_of_birth: '1990-01-01' })),
  ],
  ['companyTaxId', 'company-tax-id', include(() => primary(), { companyTaxId: '11222333000181' })],
])('the unknown field %s is told with the one that was meant', async (field, suggestion, mistake) => {
  const { body } = await mistake({})
  expect(body.warnings[0]).toMatchObject({ warning: 'unknown-field', field, suggestion })
})

const inclusion =
  (body: unknown, more: Record<string, string> = {}): Mistake =>
  (headers) =>
    partner.post('/v1/enrollment/inclusion', body, { ...headers, ...more })
const read =
  (path: string): Mistake =>
  (headers) =>
    partner.get(path, headers)
const anonymous =
  (authorization: Record<string, string> = {}): Mistake =>
  (headers) =>
    testApp.call('GET', '/v1/member', { headers: { ...headers, ...authorization } })

/** The code, and what stands in the sentences of the first detail, or in the message of an error without details. */
const errors: readonly (readonly [string, Mistake, string, string, string])[] = [
  [
    'members that are an object',
    inclusion({ 'company-tax-id': '11222333000181', members: {} }),
    'invalid-body',
    'Must be array',
    'não é válido',
  ],
  [
    'no member',
    inclusion({ 'company-tax-id': '11222333000181', members: [] }),
    'invalid-body',
    'fewer than 1',
    'ao menos uma',
  ],
  [
    'a CNPJ with a wrong digit',
    inclusion({ 'company-tax-id': '11222333000100', members: [{}] }),
    'invalid-body',
    'A CNPJ',
    'CNPJ',
  ],
  ['a trailing comma', inclusion('{"a":1,}'), 'invalid-body', 'line 1, column 8', 'linha 1, coluna 8'],
  ['no token', anonymous(), 'token-missing', 'POST /v1/authenticate', 'autenticar'],
  ['a token without Bearer', anonymous({ authorization: 'x' }), 'token-invalid', 'Send the token of', 'autenticar'],
  ['a token of nobody', anonymous({ authorization: 'Bearer x' }), 'token-invalid', 'Send the token of', 'autenticar'],
  [
    'a token of the other API',
    (headers) => testApp.operator.get('/v1/member', headers),
    'wrong-api',
    'Use a client of the API',
    'não serve',
  ],
  [
    'another media type',
    inclusion('x', { 'content-type': 'text/plain' }),
    'unsupported-media-type',
    'application/json',
    'application/json',
  ],
  [
    'GET of what takes POST',
    read('/v1/enrollment/inclusion'),
    'method-not-allowed',
    'Send one of: POST',
    'Valores aceitos: POST',
  ],
  ['a path misspelt', read('/v1/members'), 'not-found', 'Did you mean /v1/member?', 'Você quis dizer /v1/member?'],
  ['a company of others', read('/v1/company/11222333000181'), 'not-entitled', 'operator grants', 'peça o acesso'],
  ['a CPF for an id', read('/v1/member/52998224725'), 'invalid-parameter', 'a UUID', 'UUID'],
  [
    'an unknown filter',
    read('/v1/member?cpf=1'),
    'unknown-parameter',
    'Send one of: filter',
    'Valores aceitos: filter',
  ],
  [
    'a filter as a parameter',
    read('/v1/member?tax-id=1'),
    'unknown-parameter',
    'Send one of: filter',
    'O campo “tax-id”',
  ],
  ['a status misspelt', read('/v1/request?status=complete'), 'invalid-parameter', 'completed?', 'completed?'],
  [
    'a day for a time',
    read('/v1/request?updated-since=2026-01-01'),
    'invalid-parameter',
    'with its offset',
    'com o fuso',
  ],
  [
    'an end before its beginning',
    read('/v1/request?from-dt=2026-02-01&until-dt=2026-01-01'),
    'invalid-date-range',
    'Send a later',
    'posterior',
  ],
  [
    'a long key',
    inclusion({ a: 1 }, { 'idempotency-key': 'x'.repeat(300) }),
    'invalid-parameter',
    '1 to 255',
    '1 a 255',
  ],
  ['a key again', keyAgain, 'idempotency-key-reused', 'Use a new key', 'chave nova'],
]

describe('an error says what is wrong and what to do:', () => {
  test.each(errors)('%s', async (_, mistake, code, english, inPortuguese) => {
    for (const [headers, sentence] of [
      [{}, english],
      [portuguese, inPortuguese],
    ] as const) {
      const { text, status } = await mistake(headers)
      const body = JSON.parse(text)
      expect([status >= 400, body.code]).toEqual([true, code])
      expect(body.details?.[0]?.message ?? body.message).toContain(sentence)
    }
  })
})
