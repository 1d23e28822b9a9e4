import { expect, test } from 'vitest'
import { expectOk, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* The API alone: the test says when there is a worker. */
const { testApp, open } = useConsole({ VIGENCIA_ROLE: 'api' })

test('a bulk decision goes on without its page: it is found again after a reload, with its result', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  let worker = await testApp.startWorker()
  await testApp.include(
    partner,
    company,
    Array.from({ length: 201 }, () => primary()),
  )
  const { body } = await testApp.operator.get('/operator/v1/enrollment?status=created&items-per-page=500')
  const ids = body.result.map((one: { id: string }) => one.id)
  const order = { 'enrollment-ids': ids, status: 'broker-processing' }
  expectOk(await testApp.operator.post('/operator/v1/enrollment/transition', order, { prefer: 'wait=60' }))
  expect(ids).toHaveLength(201)
  await worker.close()
  const { page, goto, problems } = await open('/queue?status=broker-processing', { role: 'analyst' })
  await page.getByText('201 movimentações', { exact: true }).waitFor()
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Selecionar todas as 201' }).click()
  await page.getByText('201 selecionadas').waitFor()
  await page.getByRole('button', { name: 'Para a operadora' }).click()
  const dialog = page.getByRole('dialog', { name: 'Para a operadora: 201 movimentações' })
  await dialog.getByRole('button', { name: 'Para a operadora' }).click()
  await dialog.getByText('O serviço já recebeu tudo e continua sozinho').waitFor()

  await goto('/queue?status=broker-processing')
  await page.getByRole('link', { name: 'Decisões: 0 de 201' }).click()
  await page.getByText('Na espera').waitFor()
  worker = await testApp.startWorker()
  await page.getByText('Concluído').waitFor()
  await worker.close()
  const [job] = (await testApp.operator.get('/operator/v1/decision-job')).body.result
  await goto(`/decision-jobs/${job['job-id']}`)
  await page.getByText('201 de 201 linhas processadas, 0 com erro.').waitFor()
  await page.getByText('Em processamento na operadora').first().waitFor()
  const { body: moved } = await testApp.operator.get(
    '/operator/v1/enrollment?status=carrier-processing&items-per-page=1',
  )
  expect(moved.pagination['total-items']).toBe(201)
  expect(problems).toEqual([])
})
