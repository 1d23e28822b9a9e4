import { describe, expect, test } from 'vitest'
import { expectOk, health, type Json, primary, useTestApp, useCompany } from '../../world/test-app.ts'

/* Control and bidirectional characters in what people write to each other: refused, whoever writes it. Those in data of people are taken out. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const bad = ['\u001b[2J', '\u0007', '\u009b', '\u202e']
const several = 'Falta a certidão:\n\t- frente\r\n\t- verso'

async function newEnrollment(): Promise<string> {
  const request = await testApp.include(partner, company, [primary()])
  const [parts] = Object.values<Json>(request['status-by-tax-id'])
  return parts[health]['enrollment-id']
}

describe('of a member', () => {
  test.each([['reference', 'invalid-reference']])('%s: %s', async (field, code) => {
    for (const one of bad) {
      const members = [primary({ [field]: `a${one}b` })]
      const response = await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members })
      expect(response.status).toBe(400)
      expect(response.body.result[0]['offense-details']).toMatchObject([{ code, field }])
    }
  })
})

describe('in a reason, a comment or a note', () => {
  test('the API of operators and that of partners name the field; nothing is written', async () => {
    const id = await newEnrollment()
    const path = `/v1/enrollment/${id}`
    for (const one of bad) {
      const reason = `a${one}b`
      for (const [field, response] of [
        ['reason', await testApp.operator.post(`/operator${path}/transition`, { status: 'rejected', reason })],
        ['text', await testApp.operator.post(`/operator${path}/note`, { text: reason })],
        ['reason', await partner.post(`${path}/cancel`, { reason })],
      ] as const) {
        expect([response.status, response.body.details]).toEqual([
          400,
          [{ field, code: 'invalid', message: 'Text without control and bidirectional characters.' }],
        ])
      }
    }
    expect(expectOk(await testApp.operator.get(`/operator${path}`)).body.result.status).toBe('created')
  })

  test('tabs and line breaks stay', async () => {
    const id = await newEnrollment()
    const path = `/v1/enrollment/${id}`
    const note = expectOk(await testApp.operator.post(`/operator${path}/note`, { text: several })).body.result
    expect(note.text).toBe(several)
    const pending = { status: 'pending-correction', reason: several }
    expectOk(await testApp.operator.post(`/operator${path}/transition`, pending))
    expectOk(await partner.post(`${path}/answer`, { comment: several }))
    const refused = await partner.post(`${path}/answer`, { comment: '\u001bc' })
    expect(refused.status).toBe(400)
  })
})

test('a DELETE with the media type of JSON and no body does what it says', async () => {
  const client = await testApp.partner(company.taxId)
  const headers = { 'content-type': 'application/json', 'content-length': '0' }
  const { token } = testApp.operator
  const path = `/operator/v1/client/${client.clientId}`
  expect((await testApp.call('DELETE', path, { token, headers })).status).toBe(204)
})
