import { expect, test } from 'vitest'
import { expectOk, type Json, primary, until } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_UNDO_SECONDS: '3' })

const lastJob = async (): Promise<Json> =>
  expectOk(await testApp.operator.get('/operator/v1/decision-job')).body.result[0]

test('what can be undone is offered until it is made; an attempt that comes too late is told once', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  await testApp.include(partner, company, [primary({ name: 'Dora No Prazo' }), primary({ name: 'Dora Tarde Demais' })])
  const { page, problems } = await open('/queue?status=created', { role: 'analyst' })
  const bar = page.getByRole('region', { name: 'Desfazer' })
  const approve = async (name: string) => {
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Aprovar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click()
    await bar.getByText(name).waitFor()
  }
  await approve('Dora No Prazo')
  await expect.poll(lastJob).toMatchObject({ status: 'waiting' })
  await bar.waitFor({ state: 'detached' })

  // The call reaches the service when the decision is made.
  await page.route('**/undo', async (route) => {
    await until(lastJob, ({ status }) => status === 'done')
    await route.continue()
  })
  await approve('Dora Tarde Demais')
  await page.keyboard.press('z')
  await page.getByText('já valem e não podem mais ser desfeitas').waitFor()
  await expect.poll(() => page.getByRole('alert').filter({ hasText: 'não podem mais' }).count()).toBe(1)
  await expect.poll(() => bar.count()).toBe(0)
  expect(problems.filter((one) => !one.includes('409'))).toEqual([])
})
