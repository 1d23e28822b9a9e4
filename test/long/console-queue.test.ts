import { expect, test } from 'vitest'
import { expectOk, primary } from '../world/test-app.ts'
import { useConsole } from '../console/console.ts'
import { playDecisions } from '../console/decision-script.ts'

const { testApp, open } = useConsole()

test('300 decisions by keyboard, then the rest of 1,300 in bulk with progress', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const people = Array.from({ length: 1_300 }, (_, index) =>
    primary({
      name: `Pessoa ${Array.from(String(index).padStart(4, '0'), (digit) => 'abcdefghij'[Number(digit)]).join('')}`,
    }),
  )
  await testApp.include(partner, company, people)
  const counts = async () => {
    const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment/count'))
    return Object.fromEntries(body.result.map((one: { status: string; count: number }) => [one.status, one.count]))
  }
  const { page, problems } = await open('/queue?status=created', { role: 'analyst' })
  await page.getByText('1.300 movimentações').waitFor()

  const { decisions, keystrokes, maxKeystrokes } = await playDecisions(page, 300)
  console.log(`300 decisions: ${keystrokes} keystrokes, ${keystrokes / 300} each`)
  expect(maxKeystrokes).toBe(3)
  const statuses = Map.groupBy(decisions, ({ status }) => status)
  expect(await counts()).toMatchObject({
    created: 1_000,
    ...Object.fromEntries([...statuses].map(([status, all]) => [status, all.length])),
  })

  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Selecionar todas as 1.000' }).click()
  await page.getByText('1.000 selecionadas').waitFor()
  await page.getByRole('button', { name: 'Aprovar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprovar: 1.000 movimentações' })
  await dialog.getByRole('button', { name: 'Aprovar' }).click()
  await dialog.getByText(/^[\d.]+ de 1\.000$/).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await counts()).toMatchObject({ created: 0, completed: 1_000 + (statuses.get('completed')?.length ?? 0) })
  expect(problems).toEqual([])
}, 1_200_000)
