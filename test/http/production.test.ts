import { expect, test } from 'vitest'
import { health, openHouse, primary } from './test-app.ts'

test('resolution in production is 400 Invalid parameter, before the body is looked at; without it the movement is taken', async () => {
  const house = await openHouse({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const company = await house.company()
    const partner = await house.partner(company.taxId)
    const member = primary()
    const paths = [
      '/v1/enrollment/inclusion',
      `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`,
      `/v1/enrollment/exclusion/${member['tax-id']}/benefit/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21`,
      `/v1/enrollment/exclusion/${member['tax-id']}/dependent-of/${member['tax-id']}`,
    ]
    for (const path of paths) {
      const answer = await partner.post(`${path}?resolution=approve`, '{', { 'content-type': 'text/plain' })
      expect([path, answer.status, answer.body.error]).toEqual([path, 400, 'Invalid parameter'])
      expect(answer.body.details).toEqual([{ field: 'resolution', code: 'staging-only' }])
    }
    expect((await house.include(partner, company, [member])).status).toBe('completed')
  } finally {
    await house.close()
  }
})
