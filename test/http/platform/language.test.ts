import { describe, expect, test } from 'vitest'
import { prefersPortuguese } from '#platform/http/language.ts'
import { type Json, primary, useTestApp, useCompany } from '../../world/test-app.ts'
import { holder, ndjson, path as importPath, sendImport } from '../../world/import.ts'

const testApp = useTestApp()
const portuguese = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }
const { company, partner } = useCompany(testApp)

test.each([
  ['pt-BR', true],
  ['pt', true],
  ['pt-PT', true],
  ['PT-br', true],
  ['pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', true],
  ['en;q=0.5, pt;q=0.6', true],
  ['pt, en', true],
  ['fr, pt;q=0.3', true],
  ['*', false],
  ['en', false],
  ['en, pt', false],
  ['en-US,en;q=0.9,pt-BR;q=0.8', false],
  ['pt;q=0', false],
  ['pt;q=0, en;q=0', false],
  ['pt;q=x', false],
  ['ptx', false],
  ['', false],
])('Accept-Language: %s prefers Portuguese: %s', (header, isPreferred) => {
  expect(prefersPortuguese(header)).toBe(isPreferred)
})

const badMember = () => primary({ 'tax-id': '123', 'mothers-name': null, phone: 'x' })
const include = (members: unknown[], headers: Record<string, string> = {}, query = '') =>
  partner.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': company.taxId, members }, headers)

/** The same body without what is told in a language. */
const withoutSentences = (body: Json): Json =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (['message', 'expected'].includes(key) ? undefined : value))
const withoutTrace = (body: Json): Json => ({ ...body, 'request-trace-id': null })

describe('the offenses of a rejected member', () => {
  test('have a message in Portuguese, each with the name of its field', async () => {
    const { status, headers, body } = await include([badMember()], portuguese)
    expect(status).toBe(400)
    expect(headers.get('content-language')).toBe('pt-BR')
    expect(headers.get('vary')).toContain('accept-language')
    expect(body.error).toBe('Invalid members')
    expect(body.result[0]['offense-details']).toEqual([
      {
        code: 'invalid-phone',
        field: 'phone',
        message: 'O campo “Telefone” não é válido. Informe o telefone com DDD, 10 ou 11 dígitos.',
        expected: 'um telefone com DDD',
      },
      {
        code: 'invalid-tax-id',
        field: 'tax-id',
        message: 'O campo “CPF” não é válido. Confira os 11 dígitos do CPF.',
        expected: 'um CPF válido',
      },
      { code: 'missing-mothers-name', field: 'mothers-name', message: 'Preencha o campo “Nome da mãe”.' },
    ])
  })

  test('have it in English without the header, with another language and with English preferred; all else is the same', async () => {
    const member = badMember()
    const inPortuguese = await include([member], portuguese)
    for (const headers of [
      {},
      { 'accept-language': '*' },
      { 'accept-language': 'fr' },
      { 'accept-language': 'en, pt' },
    ]) {
      const { headers: received, body } = await include([member], headers)
      expect(received.has('content-language')).toBe(false)
      expect(received.get('vary')?.includes('accept-language') ?? false).toBe(false)
      expect(body.result[0]['offense-details']).toMatchObject([
        { message: expect.stringMatching(/^`phone` is not valid: 10 or 11 digits .* Correct it, or leave it out\.$/) },
        {
          message: '`tax-id` is not valid: a CPF, digits only or formatted. Correct it.',
          expected: 'a valid CPF',
        },
        { message: '`mothers-name` is missing. Send it.' },
      ])
      expect(withoutTrace(withoutSentences(body))).toEqual(withoutTrace(withoutSentences(inPortuguese.body)))
    }
  })

  test('have it in lenient mode as well', async () => {
    const { status, headers, body } = await include([primary(), badMember()], {
      ...portuguese,
      prefer: 'handling=lenient',
    })
    expect([status, headers.get('content-language')]).toEqual([200, 'pt-BR'])
    expect(body.result[0]['offense-details'].map((one: Json) => one.message)).toContain(
      'Preencha o campo “Nome da mãe”.',
    )
  })

  test('have it in a large batch that is compressed', async () => {
    const members = Array.from({ length: 1_200 }, badMember)
    const { headers, body } = await include(members, { ...portuguese, 'accept-encoding': 'gzip' })
    expect(headers.get('vary')).toBe('accept-language, accept-encoding')
    expect(body.result).toHaveLength(1_200)
    const details = body.result.flatMap((one: Json) => one['offense-details'])
    expect(details).toHaveLength(3_600)
    expect(details.every(({ message }: Json) => typeof message === 'string')).toBe(true)
  })

  test('of a batch of exclusions have it, with the field that is wrong', async () => {
    const members = [{ 'tax-id': '529.982.247-25', 'exclusion-details': { 'exclusion-reason': 'dismissal' } }]
    const body = { 'company-tax-id': company.taxId, members }
    const { body: received } = await partner.post('/v1/enrollment/exclusion', body, portuguese)
    const messages = received.result[0]['offense-details'].map((one: Json) => one.message)
    expect(messages).toContain('Preencha o campo “Fim da vigência”.')
  })

  test('of a member that looks like a detail are not mistaken for one', async () => {
    const name = '"details":[{"field":"x","code":"missing"}]'
    const { body } = await include([{ ...badMember(), name }], portuguese)
    expect(body.result[0].name).toBe(name)
  })
})

test('a response without details is the same in every language; an error has its message in Portuguese', async () => {
  const path = `/v1/company/${company.taxId}`
  const inPortuguese = await partner.get(path, portuguese)
  expect(inPortuguese.headers.has('content-language')).toBe(false)
  expect(inPortuguese.text).toBe((await partner.get(path)).text)
  const missing = await partner.get('/v1/enrollment/detail/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', portuguese)
  expect([missing.status, missing.body.error, missing.headers.has('content-language')]).toEqual([
    404,
    'Enrollment not found',
    true,
  ])
})

describe('the details of an error', () => {
  const messageOf = async (response: Promise<{ body: Json; headers: Headers }>) => {
    const { body, headers } = await response
    expect(headers.get('content-language')).toBe('pt-BR')
    return body.details.map((one: Json) => one.message)
  }

  test('of a parameter say what it may be', async () => {
    expect(await messageOf(partner.get('/v1/member?page=0', portuguese))).toEqual([
      'O campo “Página” não é válido. Informe um valor maior ou igual a 1.',
    ])
    expect(await messageOf(partner.get('/v1/member?pag=1', portuguese))).toEqual([
      'O campo “pag” não existe ou se refere a algo que não existe. Você quis dizer page?',
    ])
    const resolution = await partner.post('/v1/enrollment/inclusion?resolution=aprove', {}, portuguese)
    expect(resolution.body.details).toEqual([
      {
        field: 'resolution',
        code: 'invalid',
        message: 'O campo “Resolução imediata” não é válido. Você quis dizer approve?',
        value: 'aprove',
        allowed: ['approve', 'reject'],
      },
    ])
  })

  test('of a body name the fields by their Portuguese terms', async () => {
    expect(await messageOf(partner.post('/v1/enrollment/inclusion', {}, portuguese))).toEqual([
      'Preencha o campo “CNPJ da empresa”.',
      'Preencha o campo “Beneficiários”.',
    ])
    const [message] = await messageOf(partner.post('/v1/enrollment/inclusion', '{"a":1,}', portuguese))
    expect(message).toBe('O conteúdo da chamada está malformado e não pôde ser lido. O erro está na linha 1, coluna 8.')
  })

  test('of a field without a term repeat what was sent', async () => {
    const body = { 'company-tax-id': company.taxId, 'alteration-data': { "$&'{campo}": 'x' } }
    expect(await messageOf(partner.post('/v1/enrollment/alteration/52998224725', body, portuguese))).toEqual([
      "O campo “$&'{campo}” não existe ou se refere a algo que não existe.",
    ])
  })

  test('of a path that does not exist name the one that was meant', async () => {
    const { status, body } = await partner.get('/v1/members', portuguese)
    expect([status, body.details[0].message]).toEqual([
      404,
      'O campo “Endereço da chamada” não existe ou se refere a algo que não existe. Você quis dizer /v1/member?',
    ])
  })

  test('of a transition name the statuses in Portuguese', async () => {
    const request = await testApp.include(partner, company, [primary()], '?resolution=approve')
    const [part] = Object.values<Json>(request['status-by-tax-id']).flatMap((parts) => Object.values<Json>(parts))
    const path = `/operator/v1/enrollment/${part['enrollment-id']}/transition`
    const { status, body } = await testApp.operator.post(path, { status: 'rejected', reason: 'x' }, portuguese)
    expect([status, body.details[0].message]).toEqual([
      409,
      'A movimentação não pode passar para a situação pedida. Ela já está concluída, e isso é definitivo.',
    ])
  })
})

describe('a replayed response', () => {
  test('has the language of the call that replays it; the codes are those of the first', async () => {
    const key = { 'idempotency-key': 'replayed-in-another-language' }
    const members = [badMember()]
    const english = await include(members, key)
    const replayed = await include(members, { ...key, ...portuguese })
    const again = await include(members, key)
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.body.result[0]['offense-details'][2].message).toBe('Preencha o campo “Nome da mãe”.')
    expect(withoutSentences(replayed.body)).toEqual(withoutSentences(english.body))
    expect(again.text).toBe(english.text)
  })

  test('of an error has the sentences of its details in either language', async () => {
    const key = { 'idempotency-key': 'error-replayed-in-another-language' }
    const path = '/v1/enrollment/alteration/52998224725'
    const body = { 'company-tax-id': company.taxId, 'alteration-data': { 'marital-status': 'x' } }
    const english = await partner.post(path, body, key)
    const inPortuguese = await partner.post(path, body, { ...key, ...portuguese })
    const again = await partner.post(path, body, key)
    expect(inPortuguese.headers.get('idempotency-replayed')).toBe('true')
    expect(english.body.details[0].message).toMatch(/^One of `single`, /)
    expect(inPortuguese.body.details[0].message).toContain(
      'Informe solteiro, casado, divorciado, viúvo ou outro. Valores aceitos: single, ',
    )
    expect(again.text).toBe(english.text)
  })

  test('of a call in Portuguese is in English for a call in English', async () => {
    const key = { 'idempotency-key': 'first-in-portuguese' }
    const members = [badMember()]
    const first = await include(members, { ...key, ...portuguese })
    const english = await include(members, key)
    expect(english.headers.get('idempotency-replayed')).toBe('true')
    expect(english.body.result[0]['offense-details'][2].message).toBe('`mothers-name` is missing. Send it.')
    expect((await include(members, { ...key, ...portuguese })).text).toBe(first.text)
  })
})

test('the rejected lines of an import have messages for the reader who asks, when they are read', async () => {
  const { operator } = testApp
  const { body } = await sendImport(operator, ndjson([holder(company, { gender: 'x', 'start-date': null }), '{']))
  const path = `${importPath}/${body['import-id']}/error`
  const read = async (headers: Record<string, string>) => {
    const response = await operator.get(path, headers)
    const lines = response.text.split('\n').filter((line) => line !== '')
    const details = lines.flatMap((line) => (JSON.parse(line) as { 'offense-details': Json[] })['offense-details'])
    return { language: response.headers.get('content-language'), details }
  }
  const codes = [
    { code: 'invalid-gender', field: 'gender' },
    { code: 'missing-start-date', field: 'start-date' },
    { code: 'malformed-line', field: 'line' },
  ]
  const messages = [
    'O campo “Sexo” não é válido. Informe feminino ou masculino. Em JSON: male, female.',
    'Preencha o campo “Início da vigência”.',
    'Não foi possível ler a linha. Confira as aspas e os separadores.',
  ]
  const english = [
    '`gender` is not valid: one of `male`, `female`. Correct it.',
    '`start-date`: Absent.',
    '`line`: The line cannot be read.',
  ]
  const saying = (sentences: readonly string[]) => codes.map((one, index) => ({ ...one, message: sentences[index] }))
  expect(await read({})).toMatchObject({ language: null, details: saying(english) })
  expect(await read(portuguese)).toMatchObject({ language: 'pt-BR', details: saying(messages) })
})

test('the parts of a request that failed and the errors of an import have messages for the reader who asks', async () => {
  const request = await testApp.include(partner, company, [primary()])
  const failures = [
    { 'tax-id': '52998224725', type: 'primary', 'product-name': 'Saúde', offenses: ['ongoing-enrollment'] },
  ]
  await testApp.sql(`update request set status = 'partial-failure', failures = $2 where id = $1`, [
    request['request-id'],
    JSON.stringify(failures),
  ])
  const path = `/v1/request/${request['request-id']}`
  const { body, headers } = await partner.get(path, portuguese)
  const message =
    'Já existe uma movimentação em andamento para esta pessoa neste produto. Aguarde a conclusão dela e envie de novo.'
  expect(headers.get('content-language')).toBe('pt-BR')
  const part = body['status-by-tax-id']['52998224725']['Saúde']
  expect(part).toMatchObject({ status: 'failed', 'offense-details': [{ code: 'ongoing-enrollment', message }] })
  const english = JSON.parse((await partner.get(path)).text)['status-by-tax-id']['52998224725']['Saúde']
  expect(english['offense-details']).toEqual([
    {
      code: 'ongoing-enrollment',
      message:
        'The person has an open movement of this product or benefit. Wait until it is resolved, then send this one again.',
    },
  ])

  const { operator } = testApp
  const imported = await sendImport(operator, ndjson([holder(company, { gender: null })]))
  const progress = await operator.get(`${importPath}/${imported.body['import-id']}`, portuguese)
  expect(progress.body.errors).toEqual([
    {
      line: 1,
      offenses: ['missing-gender'],
      'offense-details': [{ code: 'missing-gender', message: 'Preencha o campo “Sexo”.', allowed: ['male', 'female'] }],
    },
  ])
  expect(JSON.parse(imported.text).errors[0]['offense-details'][0].message).toBe(
    '`gender` is missing. One of `male`, `female`.',
  )
})
