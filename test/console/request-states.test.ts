import { beforeAll, describe, expect, test } from 'vitest'
import { type Company, expectOk, type Json, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* What became of the movements of a request, in the lists of the company and of the broker. */

const { testApp, open } = useConsole()
let company: Company

/** Who decided how many of the movements of each request. */
const requests = [
  { decisions: [], people: 2, state: 'Recebida' },
  { decisions: ['completed'], people: 2, state: 'Em andamento: 1 de 2' },
  { decisions: ['completed'], people: 1, state: 'Concluída' },
  { decisions: ['completed', 'rejected'], people: 2, state: 'Concluída: 1 recusada' },
  { decisions: ['rejected'], people: 1, state: 'Recusada' },
  { decisions: ['cancelled'], people: 1, state: 'Cancelada' },
] as const

beforeAll(async () => {
  company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  for (const { decisions, people } of requests) {
    const members = Array.from({ length: people }, () => primary())
    const request = await testApp.include(partner, company, members)
    const parts = Object.values<Json>(request['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
    for (const [index, status] of decisions.entries()) {
      const path = `/operator/v1/enrollment/${parts[index]?.['enrollment-id']}/transition`
      const body = {
        status,
        ...(status === 'completed' ? { 'card-number': '0001' } : { reason: 'Dados de outra pessoa' }),
      }
      expectOk(await testApp.operator.post(path, body))
    }
  }
})

const wanted = requests.map(({ state }) => state).toReversed()

describe('the state of a request', () => {
  test('is what became of its movements, for the company', async () => {
    const { cookie } = await hrOf(testApp, [company.taxId])
    const { page } = await open('/hr/requests', { cookie })
    await page.getByRole('table').getByText('Recebida', { exact: true }).waitFor()
    await expect.poll(() => page.locator('#content .badge').allTextContents()).toEqual(wanted)
    await page
      .getByRole('row')
      .filter({ has: page.getByText('Recusada', { exact: true }) })
      .getByRole('link')
      .click()
    await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
    await page
      .locator('.badge', { hasText: /^Recusada$/ })
      .first()
      .waitFor()
  })

  test('is the same for the broker', async () => {
    const { page } = await open(`/requests?company-tax-id=${company.taxId}`, { role: 'analyst' })
    await page.getByRole('table').getByText('Recebida', { exact: true }).waitFor()
    await expect.poll(() => page.locator('#content .badge').allTextContents()).toEqual(wanted)
  })
})
