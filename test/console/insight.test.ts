import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { deliveriesOf, makeEndpoint, openReceiver, type Receiver } from '../world/receiver.ts'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  inProduct,
  type Json,
  monday,
  primary,
  until,
} from '../world/test-app.ts'
import { type ConsolePage, untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let company: Company
let partner: Client
let receiver: Receiver
let endpoint: Json

const [template] = companyBody.products
const hostile = '<img src=x onerror=alert(1)>'

beforeAll(async () => {
  company = await testApp.company({
    products: [
      { ...template, 'product-name': 'Aurora', 'carrier-name': 'Operadora Aurora' },
      { ...template, 'product-name': 'Brisa', 'carrier-name': hostile },
    ],
  })
  partner = await testApp.partner(company.taxId)
  receiver = await openReceiver()
  receiver.respond = () => ({ status: 500 })
  endpoint = await makeEndpoint(partner, `${receiver.url}?token=segredo`, ['enrollment.completed'])
  const people = (product: string, count: number) =>
    Array.from({ length: count }, () => primary({ products: inProduct('health-insurance', product) }))
  await testApp.include(partner, company, [...people('Aurora', 5), ...people('Brisa', 2)])
  await testApp.include(partner, company, people('Brisa', 1), '?resolution=approve')
  await testApp.include(partner, company, people('Aurora', 2), '?resolution=reject')
  // The rows have the time of PostgreSQL, and the service has a pinned day: all of today go to that day, and some further back.
  await testApp.sql(`with aged as (
      select id, make_interval(days => timezone('America/Sao_Paulo', now())::date - date '2026-11-23'
        + case when status = 'created' then coalesce((array[0, 0, 2, 5, 12])[row_number() over (partition by status order by id)], 0)
               else 0 end) as age
      from enrollment
    ), opened as (
      update open_movement o set created_at = o.created_at - r.age, updated_at = o.updated_at - r.age from aged r where r.id = o.id
    ), history as (
      update enrollment_history h set at = h.at - r.age from aged r where r.id = h.enrollment_id
    )
    update enrollment e set created_at = e.created_at - r.age, updated_at = e.updated_at - r.age from aged r where r.id = e.id`)
})
afterAll(async () => {
  await receiver.close()
})

/** The text of each link to the queue, and its parameters. */
async function queueLinks({ page }: ConsolePage): Promise<{ count: number; query: URLSearchParams }[]> {
  const links = await page
    .locator('#content a[href*="/console/queue?"]')
    .evaluateAll((all: { textContent: string; href: string }[]) => all.map((link) => [link.textContent, link.href]))
  return links.map(([text = '', href = '']) => ({ count: Number(text || 'NaN'), query: new URL(href).searchParams }))
}

/** `total-items` of the queue with the parameters of a link: those of the API, but for `all`. */
async function listed(query: URLSearchParams): Promise<number> {
  const parameters = new URLSearchParams({ ...Object.fromEntries(query), 'items-per-page': '1' })
  if (parameters.get('status') === 'all') parameters.delete('status')
  if (parameters.has('overdue')) {
    parameters.delete('overdue')
    parameters.set('overdue-at-carrier', 'true')
  }
  return expectOk(await testApp.operator.get(`/operator/v1/enrollment?${parameters.toString()}`)).body.pagination[
    'total-items'
  ]
}

describe('the overview', () => {
  let watched: ConsolePage
  beforeAll(async () => {
    watched = await open('/overview', { role: 'analyst' })
    await watched.page.getByText('Mostrar os dias em uma tabela').click()
    await watched.page.getByRole('table', { name: 'Movimentações por dia' }).waitFor()
  })

  test('has the figures of the database', async () => {
    const { page } = watched
    const rows = await testApp.sql<{ carrier: string; counts: string[] }>(
      `select carrier, array[count(*), count(*) filter (where age = 0), count(*) filter (where age between 1 and 3),
                count(*) filter (where age between 4 and 7), count(*) filter (where age > 7)]::text[] as counts
         from (select p.carrier_name as carrier, date '2026-11-23' - timezone('America/Sao_Paulo', e.created_at)::date as age
                 from enrollment e join product p on p.company_id = e.company_id and p.id = e.product_id
                 where e.status not in ('completed', 'rejected', 'cancelled')) x
         group by carrier order by count(*) desc`,
    )
    expect(rows).toHaveLength(2)
    for (const { carrier, counts } of rows) {
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: carrier, exact: true }) })
      await expect.poll(() => row.getByRole('link').allTextContents()).toEqual(counts)
    }
    const days = await testApp.sql<{ day: string; counts: string[] }>(
      `select to_char(day, 'DD/MM/YYYY') as day, array[count(*) filter (where kind = 'created'), count(*) filter (where kind = 'completed'),
                count(*) filter (where kind = 'rejected'), count(*) filter (where kind = 'cancelled')]::text[] as counts
         from (select 'created' as kind, timezone('America/Sao_Paulo', created_at)::date as day from enrollment
               union all select status, timezone('America/Sao_Paulo', updated_at)::date from enrollment
                 where status in ('completed', 'rejected', 'cancelled')) x
         group by x.day`,
    )
    expect(days.length).toBeGreaterThan(1)
    const table = page.getByRole('table', { name: 'Movimentações por dia' })
    for (const { day, counts } of days) {
      const row = table.getByRole('row').filter({ hasText: day })
      await expect.poll(() => row.getByRole('link').allTextContents()).toEqual(counts)
    }
  })

  test('each number leads to a list with so many rows', async () => {
    const numbers = (await queueLinks(watched)).filter(({ count }) => !Number.isNaN(count))
    // The figures of now, by status, by assignee, the backlog, and the table of 30 days.
    expect(numbers.length).toBeGreaterThan(130)
    const different = new Map(numbers.map((link) => [String(link.query), link]))
    // Most days have none: of these one is enough.
    const empty = [...different.values()].filter(({ count }) => count === 0).slice(0, 1)
    for (const { count, query } of [...[...different.values()].filter((link) => link.count > 0), ...empty]) {
      expect([String(query), await listed(query)]).toEqual([String(query), count])
    }
    const { page } = watched
    const [{ taken } = { taken: 0 }] = await testApp.sql<{ taken: number }>(
      "select count(*)::int as taken from enrollment where status in ('completed', 'rejected')",
    )
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Inclusão' }) })
    await expect.poll(() => row.getByRole('cell').nth(2).textContent()).toBe(String(taken))
    await watched.expectSound()
    await page.getByRole('row').filter({ hasText: hostile }).getByRole('link').first().click()
    await page.getByText('2 movimentações').waitFor()
  })

  test('the range is in the address; a range that is none says why', async () => {
    await watched.goto('/overview')
    const { page, problems } = watched
    await page.getByLabel('Período').selectOption('Últimos 7 dias')
    await page.waitForURL('**/overview?days=7')
    await page.reload()
    await expect.poll(() => page.getByLabel('Período').locator('option:checked').textContent()).toBe('Últimos 7 dias')
    await page.getByLabel('Período').selectOption('Outro período')
    const [from, until] = [page.getByLabel('De', { exact: true }), page.getByLabel('Até', { exact: true })]
    // The page proposes days until today, and a range has at most a year.
    const [first, last] = [addDays(monday, -30), addDays(monday, -1)]
    const typed = (day: string) => day.split('-').toReversed().join('/')
    await from.fill(typed(first))
    await until.fill(typed(last).replaceAll('/', ''))
    await page.getByRole('heading', { name: `De ${typed(first)} a ${typed(last)}` }).waitFor()
    expect(page.url()).toContain(`from-dt=${first}&until-dt=${last}`)
    await from.fill(typed(addDays(last, 2)))
    await page.getByRole('alert').waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  })
})

describe('webhooks', () => {
  test('a failing endpoint is seen, its event delivered again, with the outcome', async () => {
    const [event] = await until(
      async () => expectOk(await partner.get('/v1/webhook-event?type=enrollment.completed')).body.result,
      (events) => events.length > 0,
    )
    await deliveriesOf(partner, event.id, (attempts) => attempts.some(({ status }) => status === 'failed'))
    const watched = await open('/overview', { role: 'analyst' })
    const { page } = watched
    await page.getByText('Webhooks com falha').locator('..').getByRole('link', { name: '1' }).click()
    await page.waitForURL('**/webhooks?failing=true&status=enabled')
    await page.getByText('1 item').waitFor()
    await watched.expectSound()
    await page.getByRole('link', { name: endpoint.url }).click()
    await page.getByRole('combobox', { name: 'Situação' }).click()
    await page.getByRole('option', { name: 'Falhou' }).click()
    await page.waitForURL('**?status=failed')
    await page.getByRole('row').filter({ hasText: 'Resposta 500' }).getByRole('link').first().click()
    const dialog = page.getByRole('dialog')
    const [sent] = await receiver.until(1)
    await dialog.getByText(sent?.text ?? '', { exact: true }).waitFor()
    await watched.expectSound()
    const again = dialog.getByRole('button', { name: 'Entregar de novo' })
    await again.click()
    await dialog.getByRole('status').getByText('A entrega falhou').waitFor()
    receiver.respond = () => ({ status: 204 })
    await again.click()
    await dialog.getByRole('status').getByText('Resposta 204').waitFor()
    await dialog.getByRole('row').filter({ hasText: 'Entregue' }).waitFor()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    await page.getByText('Entregando').waitFor()
    expect(watched.problems).toEqual([])
  })

  test('an auditor delivers nothing again and sees no query of a URL', async () => {
    const { page, problems } = await open(`/webhooks/${endpoint.id}`, { role: 'auditor' })
    await page.getByText(`${receiver.url}?***`, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'enrollment.completed' }).first().click()
    await page.getByRole('dialog').getByText('O que foi enviado').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Entregar de novo' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('the audit', () => {
  test('is filtered, exported and verified', async () => {
    const watched = await open('/audit', { role: 'auditor' })
    const { page } = watched
    await page.getByRole('combobox', { name: 'Ação' }).fill('rejeitada')
    await page.getByRole('option', { name: 'Movimentação: rejeitada' }).click()
    await page.waitForURL('**/audit?action=enrollment.rejected')
    await page.getByText('2 itens').waitFor()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar como CSV' }).click()
    const file = await downloaded
    expect(file.suggestedFilename()).toBe('auditoria.csv')
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().split('\r\n')
    expect(lines[0]).toBe(
      '\ufeffMomento;Quem fez;Ação;Objeto;Identificador do objeto;Empresa;CNPJ;Endereço de rede;Identificador da chamada;Identificador do registro',
    )
    const { result } = expectOk(await testApp.operator.get('/operator/v1/audit?action=enrollment.rejected')).body
    const [first] = result
    const cells = lines[1]?.split(';') ?? []
    expect(lines.slice(1, -1).map((line) => line.split(';').at(-1))).toEqual(result.map((row: Json) => row.id))
    expect(cells[0]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
    expect(cells.slice(2, 6)).toEqual(['Movimentação: rejeitada', first['target-name'], first.target, companyBody.name])
    await expect
      .poll(() => page.getByRole('link', { name: first['target-name'] }).first().getAttribute('href'))
      .toBe(`/console/queue/${first.target}`)
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('dialog').getByText(result[0].id, { exact: true }).first().waitFor()
    await watched.expectSound()
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()

    await page.getByRole('button', { name: 'Verificar' }).click()
    await page.getByText('A auditoria está íntegra').waitFor()
    await page.getByLabel('Hash final esperado').fill('0'.repeat(64))
    await page.getByRole('button', { name: 'Verificar' }).click()
    await page.getByText('A auditoria não está íntegra').waitFor()
    await page.getByText('O hash final esperado não está na cadeia').waitFor()
    await watched.expectSound()
  })

  test('is not for an analyst, and the page says so', async () => {
    const { page, problems } = await open('/audit', { role: 'analyst' })
    await page.getByText('O perfil Analista não pode ver esta área').waitFor()
    expect(problems).toEqual([])
  })
})

test('every text is from the catalogue; dark and narrow pages are sound', async () => {
  const watched = await open('/overview', { role: 'admin', language: 'en-XA', theme: 'dark', width: 390 })
  const { page } = watched
  const check = async () => {
    expect(await untranslated(watched)).toEqual([])
    await watched.expectSound()
  }
  await page.locator('summary').click()
  await page.locator('.per-day').waitFor()
  await check()
  await watched.goto('/webhooks')
  await page.getByRole('link', { name: endpoint.url }).waitFor()
  await check()
  const { result } = expectOk(await testApp.operator.get('/operator/v1/webhook-delivery')).body
  await watched.goto(`/webhooks/${endpoint.id}?event=${result[0]['event-id']}`)
  await page.getByRole('dialog').getByRole('table').waitFor()
  await check()
  await watched.goto('/audit')
  await page.getByRole('region').first().waitFor()
  await page.locator('form').getByRole('button').click()
  await page.getByRole('status').getByRole('heading').or(page.locator('.mantine-Alert-title')).first().waitFor()
  await check()
  const audited = expectOk(await testApp.operator.get('/operator/v1/audit?items-per-page=1')).body.result
  await watched.goto(`/audit?row=${audited[0].id}`)
  await page.getByRole('dialog').locator('dl').waitFor()
  await check()
})
