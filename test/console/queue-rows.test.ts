import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { primary, useCompany } from '../world/test-app.ts'
import { textOfPages } from '../platform/pdf/pages.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const { company, partner } = useCompany(testApp)

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const longest = 'Maria Aparecida Conceição de Albuquerque e Vasconcelos Montenegro da Silva Xavier'

test('a card that is on two lines stays in doubt on both until one is confirmed; what is left out is struck', async () => {
  const names = ['Gabriela Um', 'Gabriela Dois', longest.replace('Maria', 'Gabriela')]
  await testApp.include(
    partner,
    company,
    names.map((name) => primary({ name })),
  )
  const { page, expectSound } = await open('/queue?status=created&q=gabriela', { role: 'analyst' })
  for (const name of names) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Carteirinhas' }).click()
  const dialog = page.getByRole('dialog')
  const people = await testApp.operator.get('/operator/v1/enrollment?q=gabriela&items-per-page=10')
  const cpf = new Map(
    people.body.result.map((one: Record<string, string>) => [one['member-name'], one['member-tax-id']]),
  )
  const cards = ['0099 5', '0099 5', '0099 7']
  const lines = names.map((name, index) => `${String(cpf.get(name))}\t${cards[index]}`)
  await dialog.getByLabel('Colunas da planilha').fill(lines.join('\n'))
  const [one, two, long] = names.map((name) => dialog.getByRole('row').filter({ hasText: name }))
  // Whole.
  await expect
    .poll(() => long?.getByText(names[2] ?? '').evaluate((cell) => cell.scrollWidth <= cell.clientWidth))
    .toBe(true)
  await one?.getByRole('button', { name: 'Deixar de fora' }).click()
  await one?.getByText('Fora', { exact: true }).waitFor()
  await expect.poll(() => one?.locator('s').count()).toBe(3)
  await two?.getByText('O número está em mais de uma linha.').waitFor()
  const approve = dialog.getByRole('button', { name: /^Aprovar/ })
  await expect.poll(async () => [await approve.textContent(), await approve.isDisabled()]).toEqual(['Aprovar 1', true])
  await one?.getByRole('button', { name: 'Incluir de novo' }).click()
  await one?.getByText('O número está em mais de uma linha.').waitFor()
  await two?.getByRole('button', { name: 'É esta' }).click()
  await one?.getByText('Fora', { exact: true }).waitFor()
  await expectSound()
  await dialog.getByRole('button', { name: 'Aprovar 2' }).click()
  await dialog.getByText('2 concluídas').waitFor()
})

test.each(['light', 'dark'] as const)(
  'the marked row has a bar over its pinned cells, and a tint (%s)',
  async (theme) => {
    await testApp.include(partner, company, [
      primary({ name: `Heitor ${theme}` }),
      primary({ name: `Heitor ${theme} B` }),
    ])
    const { page, expectSound } = await open(`/queue?status=created&q=heitor%20${theme}`, { role: 'analyst', theme })
    await row(page, `Heitor ${theme}`).first().waitFor()
    await page.keyboard.press('j')
    const marked = page.locator('[data-active="true"]')
    await marked.waitFor()
    const look = await page.evaluate<{ bar: string; isInPlace: boolean; tint: number }>(`(() => {
    const row = document.querySelector('[data-active="true"]')
    const [pinned, plain] = [row, document.querySelector('[role="row"][data-active="false"]')].map((one) => one.querySelector('.pinned'))
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const channels = (element) => {
      canvas.fillStyle = getComputedStyle(element).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    }
    const other = channels(plain)
    return {
      bar: getComputedStyle(pinned).boxShadow,
      tint: Math.max(...channels(pinned).map((value, index) => Math.abs(value - other[index]))),
      isInPlace: pinned.getBoundingClientRect().left === plain.getBoundingClientRect().left,
    }
  })()`)
    expect(look).toMatchObject({ bar: expect.stringMatching(/ 4px 0px 0px 0px inset$/), isInPlace: true })
    expect(look.tint).toBeGreaterThan(20)
    await expectSound()
  },
)

test('keys that are pressed before the rows have arrived act on them then', async () => {
  await testApp.include(partner, company, [primary({ name: 'Ivone Um' }), primary({ name: 'Ivone Dois' })])
  const { page, goto } = await open('/members', { role: 'analyst' })
  let arrive: () => void = () => {}
  const mayArrive = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/operator\/v1\/enrollment\?.*q=ivone/, async (route) => {
    await mayArrive
    await route.continue()
  })
  await goto('/queue?status=created&q=ivone')
  for (const key of ['j', 'j', 'a']) await page.keyboard.press(key)
  arrive()
  await page.getByRole('dialog').getByText('Ivone Dois').waitFor()
})

test('on paper the queue has every row that is loaded, and no empty sheet', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `Impressa ${String(index + 10)}`)
  await testApp.include(
    partner,
    company,
    names.map((name) => primary({ name })),
  )
  const { page } = await open('/queue?status=created&q=impressa', { role: 'analyst' })
  await row(page, 'Impressa').first().waitFor()
  await expect.poll(() => row(page, 'Impressa').count()).toBeLessThan(60)
  const sheets = await textOfPages(await page.pdf({ landscape: true }))
  expect(names.filter((name) => !sheets.join(' ').includes(name))).toEqual([])
  expect(sheets.filter((sheet) => !sheet.includes('Impressa'))).toEqual([])
  await row(page, 'Impressa').first().waitFor()
  await expect.poll(() => row(page, 'Impressa').count()).toBeLessThan(60)
})
