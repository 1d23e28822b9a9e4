import { expect, test } from 'vitest'
import { primary, until } from '../http/test-app.ts'
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
  await worker.close()
  const { page, goto, problems } = await open('/queue?status=created', { role: 'analyst' })
  await page.getByText('201 linhas').waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Selecionar todas as 201' }).click()
  await page.getByRole('button', { name: 'Para a corretora' }).click()
  const dialog = page.getByRole('dialog', { name: 'Para a corretora: 201 movimentações' })
  await dialog.getByRole('button', { name: 'Para a corretora' }).click()
  await dialog.getByText('O serviço já recebeu tudo e continua sozinho').waitFor()

  await goto('/queue?status=created')
  await page.getByRole('link', { name: 'Processamentos: 0 de 201' }).click()
  await page.getByText('Na espera').waitFor()
  worker = await testApp.startWorker()
  await page.getByText('Concluído').waitFor()
  await worker.close()
  const [job] = (await testApp.operator.get('/operator/v1/decision-job')).body.result
  await goto(`/decision-jobs/${job['job-id']}`)
  await page.getByText('201 de 201 linhas processadas, 0 com erro.').waitFor()
  await page.getByText('Na corretora').first().waitFor()
  const counts = async () => (await testApp.operator.get('/operator/v1/enrollment/count')).body.result
  expect(await until(counts, (result) => result['broker-processing'] === 201)).toMatchObject({ created: 0 })
  expect(problems).toEqual([])
})
