import { expect, test } from 'vitest'
import { health, openTestApp, primary } from '../../world/test-app.ts'

test('resolution in production is 400 Invalid parameter, before the body is checked; without it the movement is accepted', async () => {
  const testApp = await openTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const company = await testApp.company()
    const partner = await testApp.partner(company.taxId)
    const member = primary()
    const paths = [
      '/v1/enrollment/inclusion',
      `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`,
      `/v1/enrollment/exclusion/${member['tax-id']}/benefit/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21`,
      `/v1/enrollment/exclusion/${member['tax-id']}/dependent-of/${member['tax-id']}`,
    ]
    for (const path of paths) {
      const response = await partner.post(`${path}?resolution=approve`, '{', { 'content-type': 'text/plain' })
      expect([path, response.status, response.body.error]).toEqual([path, 400, 'Invalid parameter'])
      expect(response.body.details).toEqual([{ field: 'resolution', code: 'staging-only' }])
    }
    expect((await testApp.include(partner, company, [member])).status).toBe('completed')
  } finally {
    await testApp.close()
  }
})
