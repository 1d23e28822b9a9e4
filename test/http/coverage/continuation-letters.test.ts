import { beforeAll, describe, expect, test } from 'vitest'
import { textOfPages } from '../../platform/pdf/pages.ts'
import { createContinuation, makeFamily } from '../../world/continuation.ts'
import { type Client, type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company({ name: 'Ânfora Comércio' })
  partner = await testApp.partner(company.taxId)
})

const make = async (more: Json = {}): Promise<string> =>
  (await createContinuation(testApp, await makeFamily(testApp, company, partner), more))['continuation-id']
/** The text of a letter, a line a row, as both APIs send it. */
async function textOf(id: string, letter: string): Promise<string> {
  const load = async (path: string, token: string) => {
    const response = await fetch(testApp.url + path, { headers: { authorization: `Bearer ${token}` } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return (await textOfPages(Buffer.from(await response.arrayBuffer()))).join('\n').replaceAll('\n', ' ')
  }
  const own = await load(`/v1/continuation/${id}/${letter}`, partner.token)
  expect(await load(`/operator/v1/continuation/${id}/${letter}`, testApp.operator.token)).toBe(own)
  return own
}

describe('the letters of a continuation', () => {
  test.each(['notice', 'option-form'])('%s: the term, the article and the names are text', async (letter) => {
    const text = await textOf(await make({ 'notice-date': '2026-11-25' }), letter)
    for (const part of [
      'Ânfora Comércio',
      'Meses de contribuição: 40.',
      'Prazo: 14 meses, de 01/12/2026 a 31/01/2028.',
      'A fração de mês foi arredondada para cima',
      'Lei 9.656/1998 art. 30 § 1; RN 488 art. 4',
      'Último dia: 28/12/2026.',
      'Calculado a partir de dados fornecidos pela empresa.',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('R$')
    const { result } = expectOk(await partner.get('/v1/continuation')).body
    expect(text).toContain(`Titular: ${result[0]['member-name']}`)
    expect(text).toContain('Dependentes: ')
  })

  describe('of a name', () => {
    const of = async (name: string): Promise<string> => {
      const id = await make()
      const [primaryOf] = await testApp.sql(
        `select member_id from benefit join continuation
         on continuation.company_id = benefit.company_id and continuation.benefit_id = benefit.id where continuation.id = $1`,
        [id],
      )
      await testApp.sql('update member set name = $2 where id = $1', [primaryOf?.['member_id'], name])
      return id
    }

    test.each(['notice', 'option-form'])('beyond Latin-1 have it whole: %s', async (letter) => {
      expect(await textOf(await of('Łucja Đorđe Lőrinc'), letter)).toContain('Titular: Łucja Đorđe Lőrinc ')
    })

    test('that they cannot print are refused, with the characters', async () => {
      const { status, body } = await partner.get(`/v1/continuation/${await of('Mei 王')}/notice`)
      expect([status, body]).toMatchObject([409, { code: 'text-not-printable', characters: ['王'] }])
    })
  })

  test('have the prices that the company gave', async () => {
    const prices = [
      { 'age-band': '0-18', amount: '412.35' },
      { 'age-band': '59+', amount: '2474.10' },
    ]
    const text = await textOf(await make({ prices }), 'notice')
    expect(text).toContain('0-18 anos: R$ 412,35 por mês')
    expect(text).toContain('Os meses são contados a partir do dia seguinte')
    expect(text).toContain('59+ anos: R$ 2.474,10 por mês')
  })

  test('say that a term has no end', async () => {
    const text = await textOf(await make({ ground: 'retirement', 'contribution-months': 120 }), 'notice')
    expect(text).toContain('Prazo: sem fim, a partir de 01/12/2026.')
    expect(text).toContain('Lei 9.656/1998 art. 31; RN 488')
  })

  test('are refused while a setting is missing', async () => {
    const id = await make({ ground: 'retirement', 'contribution-months': 13 })
    const { status, body } = await partner.get(`/v1/continuation/${id}/notice`)
    expect([status, body.code, body['missing-setting']]).toEqual([
      409,
      'contract-setting-missing',
      'retirement-remainder',
    ])
  })

  test('of another company are unknown', async () => {
    const id = await make()
    const stranger = await testApp.partner((await testApp.company()).taxId)
    expect((await stranger.get(`/v1/continuation/${id}/option-form`)).body.code).toBe('continuation-not-found')
  })
})
