import { describe, expect, test } from 'vitest'
import { expectOk, type Json, send, useTestApp, useCompany } from '../../world/test-app.ts'
import { newSlot } from '../../world/upload.ts'

/* 413 and 415 say what was found, and what is taken. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const members = '/v1/enrollment/inclusion'

describe('415', () => {
  test.each<[string, string, string | undefined, Json]>([
    ['text', members, 'text/plain', { field: 'content-type', code: 'invalid', allowed: ['application/json'] }],
    ['a form', members, 'application/x-www-form-urlencoded', { field: 'content-type', allowed: ['application/json'] }],
    ['what is no media type', members, 'json', { field: 'content-type', allowed: ['application/json'] }],
    [
      'a table as JSON',
      '/v1/table?movement=inclusion&company-tax-id=CNPJ',
      'application/pdf',
      { field: 'content-type', allowed: expect.arrayContaining(['text/csv']) },
    ],
  ])('for %s names the types that the operation takes', async (_name, path, type, detail) => {
    const response = await partner.post(path.replace('CNPJ', company.taxId), 'x', { 'content-type': type ?? '' })
    expect([response.status, response.body.code]).toEqual([415, 'unsupported-media-type'])
    expect(response.body.details).toMatchObject([detail])
    expect(response.body.details[0].message).toContain(detail.allowed[0] ?? 'text/csv')
  })

  test('for a coding says that the coding is meant', async () => {
    const response = await partner.post(members, '{}', { 'content-encoding': 'gzip' })
    expect(response.body.details).toEqual([
      { field: 'content-encoding', code: 'invalid', message: 'Send the body without a content coding.' },
    ])
  })

  test('for the first bytes of a document says that they are meant, also in Portuguese', async () => {
    const slot = await newSlot(partner)
    const response = await send(slot.url, 'PUT', {
      body: Buffer.from('MZ this is a program, whatever its name is'),
      headers: { 'content-type': 'application/pdf', 'accept-language': 'pt-BR' },
    })
    expect([response.status, response.body.details]).toEqual([
      415,
      [
        {
          field: 'file',
          code: 'invalid',
          message: expect.stringMatching(/Pelos primeiros bytes.*application\/pdf/),
          allowed: expect.arrayContaining(['application/pdf', 'image/jpeg']),
        },
      ],
    ])
  })
})

test('413 says how many bytes may be sent', async () => {
  const limits: [string, number][] = [
    [members, 16_777_216],
    [`/v1/enrollment/exclusion/52998224725/company/${company.taxId}`, 1_048_576],
  ]
  for (const [path, limit] of limits) {
    const { status, body } = await partner.post(path, `{"a":"${'x'.repeat(limit)}"}`)
    expect([status, body.details]).toEqual([
      413,
      [{ field: 'body', code: 'too-many', message: `At most ${limit.toLocaleString('en')} bytes may be sent.` }],
    ])
  }
  expectOk(await partner.get('/v1/company'))
})
