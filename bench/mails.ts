/*
 * A day of fifty e-mails, typed into the console by keyboard alone: 20 exclusions, 15 inclusions, 15 alterations, each of a message of its own.
 * `node bench/mails.ts [PICTURES]`: with the name of a folder, pictures of the first mail of each kind.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openPage, startChromium, unpackChromium } from '../test/browser/chromium.ts'
import { nextCpf, primary } from '../test/data/people.ts'
import { call, makePartner, median, operator, percentile, printTable, runBench, signIn } from './bench.ts'

const [pictures] = process.argv.slice(2)
const mails = 50
const kinds = ['exclusion', 'inclusion', 'alteration'] as const
type Kind = (typeof kinds)[number]
const kindOf = (mail: number): Kind => kinds[mail % 10 < 4 ? 0 : mail % 10 < 7 ? 1 : 2]
const names = ['Davi Prates', 'Lúcia Ferraz', 'Rui Provas', 'Nair Duarte', 'Otávio Souza', 'Beatriz Leal', 'Paulo Lins']

/** A keyboard that counts what is pressed. */
function typist(page: Page) {
  let keys = 0
  const press = async (...all: string[]) => {
    for (const key of all) await page.keyboard.press(key)
    keys += all.length
  }
  return {
    press,
    type: async (text: string) => {
      await page.keyboard.type(text)
      keys += text.length
    },
    fill: async (text: string, ...after: string[]) => {
      await press('Control+A')
      await page.keyboard.type(text)
      keys += text.length
      await press(...after)
    },
    count: () => keys,
    focusIn: (label: string) =>
      page
        .getByLabel(new RegExp(`^${label}( \\*)?$`))
        .and(page.locator(':focus'))
        .or(page.getByRole('radiogroup', { name: label }).locator(':focus'))
        .waitFor({ state: 'attached' }),
  }
}

await runBench(20, async (bench) => {
  const service = await bench.service(await bench.database('mails'), { VIGENCIA_ENVIRONMENT: 'staging' })
  const partner = await makePartner(service.url, 1)
  const [taxId = ''] = partner.companyTaxIds
  const covered = Array.from({ length: mails }, (_, n) => primary({ name: names[n % names.length] }))
  const { 'request-id': included } = await call(
    service.url,
    'POST',
    '/v1/enrollment/inclusion?resolution=approve',
    partner.headers,
    {
      'company-tax-id': taxId,
      members: covered,
    },
  )
  for (;;) {
    const { status } = await call(service.url, 'GET', `/v1/request/${String(included)}`, partner.headers)
    if (status === 'completed') break
  }
  const unpacked = await mkdtemp(join(bench.folder, 'chromium-'))
  await unpackChromium(unpacked)
  const browser = await startChromium(unpacked, await mkdtemp(join(bench.folder, 'home-')))
  const { page, problems } = await openPage(browser, { viewport: { width: 1280, height: 800 }, locale: 'pt-BR' })
  await page.goto(`${service.url}/console/sign-in`)
  await page.locator('form input').first().fill(operator.id)
  await page.locator('form input[type="password"]').fill(operator.secret)
  await page.locator('[type="submit"]').click()
  await page.waitForURL('**/queue')
  await page.waitForLoadState('networkidle')

  const { press, type, fill, count, focusIn } = typist(page)
  const picture = async (name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }
  const sentBefore = new Map<Kind, { seconds: number[]; keys: number[] }>(
    kinds.map((kind) => [kind, { seconds: [], keys: [] }]),
  )
  const start = performance.now()
  await press('n')
  for (let mail = 0; mail < mails; mail += 1) {
    const [began, before, kind] = [performance.now(), count(), kindOf(mail)]
    const isFirst = (sentBefore.get(kind)?.seconds.length ?? 0) === 0
    await focusIn('Meio')
    await press('ArrowDown', 'Tab', 'Tab', 'Tab')
    await type(`Paula Andrade ${['de Souza', 'Lima', 'Reis'][mail % 3]}`)
    await press('Enter')
    await focusIn('Tipo')
    if (isFirst) await picture(`${kind}-1-intake`)
    await press(kind.slice(0, 1))
    if (kind === 'inclusion') {
      await focusIn('Empresa')
      await type('companhia')
      await press('Enter')
      await focusIn('Nome')
      for (const text of [`Camila ${names[mail % names.length]}`, nextCpf(), '17/05/1990']) await fill(text, 'Tab')
      await press('ArrowDown', 'Tab')
      await type('Nair Duarte Reis')
      await press('Control+Enter')
      await page.getByRole('checkbox').and(page.locator(':focus')).waitFor()
      await press('Space', 'Control+Enter')
    } else {
      await focusIn('Pessoa')
      await type(String(covered[mail]?.['tax-id']))
      await press('Enter')
      if (kind === 'exclusion') {
        await page.locator('[type=radio][value=everything]:focus').waitFor()
        await press('Tab')
        await focusIn('Motivo da exclusão')
        const reason = page.getByLabel('Motivo da exclusão')
        while ((await reason.inputValue()) !== 'resignation') await press('ArrowDown')
        await press('Control+Enter')
      } else {
        await focusIn('O que muda')
        await press('Tab')
        await focusIn('Nome')
        await fill(`${names[mail % names.length]} Brandão`)
        await press('Control+Enter')
      }
    }
    const isRight = page.getByText('Tudo certo. Será enviado:')
    await isRight.waitFor()
    if (isFirst) await picture(`${kind}-2-checked`)
    await press('Control+Enter')
    await page.getByText('Processada: cada item virou uma movimentação.').waitFor()
    if (isFirst) await picture(`${kind}-3-sent`)
    const measured = sentBefore.get(kind)
    measured?.seconds.push((performance.now() - began) / 1_000)
    measured?.keys.push(count() - before)
    await press('Alt+Shift+N')
  }
  const total = (performance.now() - start) / 1_000
  // The first check of an inclusion is refused: it has no product yet.
  const others = problems.filter((problem) => !problem.includes('400 (Bad Request)'))
  if (others.length > 0) console.log(others)
  printTable(`${mails} e-mails by keyboard: ${total.toFixed(0)} s and ${count()} keys`, [
    ['Kind', 'Mails', 'Median s', 'Slowest s', 'Keys, median'],
    ...kinds.map((kind) => {
      const { seconds, keys } = sentBefore.get(kind) ?? { seconds: [], keys: [] }
      return [
        kind,
        String(seconds.length),
        median(seconds).toFixed(1),
        percentile(seconds, 100).toFixed(1),
        String(median(keys)),
      ]
    }),
  ])
  const admin = await signIn(service.url, operator.id, operator.secret)
  const list = await call(service.url, 'GET', '/operator/v1/request?requested-by=operator&items-per-page=100', admin)
  console.log(`requests of operators: ${(list['result'] as unknown[]).length}`)
  await browser.close()
})
