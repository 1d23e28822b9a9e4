/*
 * The console in headless Chromium, with 100,000 open movements and 10,000 members: first content of the queue, scrolling, calls, a change of a
 * filter, a bulk of 1,000 decisions. `node bench/console.ts [OPEN] [MEMBERS]`; making the data takes some minutes.
 */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Locator } from 'playwright-core'
import { openPage, startChromium, unpackChromium } from '../test/browser/chromium.ts'
import {
  call,
  makePartner,
  median,
  ms,
  operator,
  payroll,
  percentile,
  printTable,
  runBench,
  signIn,
  verdict,
} from './bench.ts'

const [open = 100_000, members = 10_000] = process.argv.slice(2).map(Number)
const batch = 10_000
const rounds = 7

/** Includes people in batches, and completes the first of them. */
async function makeQueue(url: string): Promise<void> {
  const partner = await makePartner(url, 10)
  const admin = await signIn(url, operator.id, operator.secret)
  for (let from = 0; from < open + members; from += batch) {
    const company = partner.companyTaxIds[(from / batch) % 10] ?? ''
    const body = payroll(company, Math.min(batch, open + members - from))
    const made = await call(url, 'POST', '/v1/enrollment/inclusion', partner.headers, body)
    for (;;) {
      const request = await call(url, 'GET', `/v1/request/${String(made['request-id'])}`, partner.headers)
      if (request['status'] === 'completed') break
      if (request['status'] !== 'processing') throw new Error(`an inclusion ended ${String(request['status'])}`)
      // Each response lists 10,000 parts.
      await pause(1_000)
    }
  }
  for (let done = 0; done < members; done += 500) {
    const list = await call(url, 'GET', '/operator/v1/enrollment?status=created&items-per-page=500', admin)
    const ids = (list['result'] as { id: string }[]).map(({ id }) => id)
    await call(
      url,
      'POST',
      '/operator/v1/enrollment/transition',
      { ...admin, prefer: 'wait=60' },
      { 'enrollment-ids': ids, status: 'completed' },
    )
  }
}

/** Milliseconds until the action has led to what is shown. */
async function timed(action: () => Promise<unknown>, shown: Locator): Promise<number> {
  const start = performance.now()
  await action()
  await shown.waitFor()
  return performance.now() - start
}

await runBench(30, async (bench) => {
  const databaseUrl = await bench.database('console')
  const service = await bench.service(databaseUrl)
  const start = performance.now()
  await makeQueue(service.url)
  // As autovacuum does within a minute of such a load.
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('vacuum (analyze)')
  await client.end()
  console.log(
    `${open} open movements and ${members} members made in ${Math.round((performance.now() - start) / 1_000)} s`,
  )
  const unpacked = await mkdtemp(join(bench.folder, 'chromium-'))
  await unpackChromium(unpacked)
  const browser = await startChromium(unpacked, await mkdtemp(join(bench.folder, 'home-')))
  const { page, problems } = await openPage(browser, { viewport: { width: 1280, height: 800 }, locale: 'pt-BR' })
  const calls: { milliseconds: number; path: string }[] = []
  page.on('requestfinished', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/operator/v1/')) {
      calls.push({ milliseconds: request.timing().responseEnd, path: pathname + search })
    }
  })
  await page.goto(`${service.url}/console/sign-in`)
  await page.locator('form input').first().fill(operator.id)
  await page.locator('form input[type="password"]').fill(operator.secret)
  await page.locator('[type="submit"]').click()
  const rows = page.locator('.data-table [role="row"]').nth(10)
  await rows.waitFor()

  const first: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    first.push(await timed(() => page.goto(`${service.url}/console/queue`), rows))
  }

  // Each frame of some seconds of scrolling through the whole list, with a jump over a twelfth of it every 40 frames.
  const scroll = () =>
    page.evaluate<number[]>(`(async () => {
    const box = document.querySelector('.data-table')
    const deltas = []
    let before = performance.now()
    for (let frame = 0; frame < 400; frame += 1) {
      box.scrollTop += 120
      if (frame % 40 === 39) box.scrollTop += box.scrollHeight / 12
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      deltas.push(now - before)
      before = now
    }
    return deltas
  })()`)

  // One frame in thousands waits for another process of the machine: the bound is compared with the worst of an ordinary round.
  const scrolls: number[][] = []
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${service.url}/console/queue`)
    await rows.waitFor()
    scrolls.push(await scroll())
  }
  const frames = scrolls.flat()
  const worstFrames = scrolls.map((round) => Math.max(...round))

  const filters: number[] = []
  const fresh = page.locator('.data-table[style*="opacity: 1"]')
  const tabs = page.getByRole('navigation', { name: 'Situação' })
  for (const [tab, shown] of [
    ['created', fresh],
    ['completed', fresh],
    ['all', fresh],
    ['rejected', page.getByText('Nada aqui')],
  ] as const) {
    const arrived = page.waitForResponse((response) => new URL(response.url()).pathname === '/operator/v1/enrollment')
    filters.push(
      await timed(async () => {
        // The closed statuses are in a menu.
        if (tab === 'completed' || tab === 'rejected') await tabs.getByRole('button').click()
        await page.locator(`a[href*="status=${tab}"]`).click()
        await arrived
      }, shown),
    )
  }

  const search = page.getByRole('searchbox').first()
  for (const text of ['silva', '123', 'nobody']) {
    const arrived = page.waitForResponse((response) => response.url().includes(`q=${text}`))
    filters.push(
      await timed(
        async () => {
          await search.fill(text)
          await arrived
        },
        page.locator('.data-table[style*="opacity: 1"]').or(page.getByText('Nada aqui')).first(),
      ),
    )
  }
  await page.goto(`${service.url}/console/queue?sort=due-date`)
  await rows.waitFor()

  const [slowest, ...others] = calls.toSorted((a, b) => b.milliseconds - a.milliseconds)
  const durations = [slowest, ...others].map((one) => one?.milliseconds ?? 0)
  printTable(`The queue of the console, ${open} open movements`, [
    ['', 'median', 'worst', 'wanted'],
    ['first content', ms(median(first)), ms(Math.max(...first)), verdict(median(first), 'at most', 1_000, ' ms')],
    ['frame while scrolling', ms(median(frames)), ms(Math.max(...frames)), `p99 ${ms(percentile(frames, 99))}`],
    [
      'worst frame of a round',
      ms(median(worstFrames)),
      ms(Math.max(...worstFrames)),
      verdict(median(worstFrames), 'at most', 50, ' ms'),
    ],
    ['call', ms(median(durations)), ms(Math.max(...durations)), verdict(Math.max(...durations), 'at most', 300, ' ms')],
    [
      'change of a filter',
      ms(median(filters)),
      ms(Math.max(...filters)),
      verdict(Math.max(...filters), 'at most', 500, ' ms'),
    ],
  ])
  console.log(`${frames.filter((frame) => frame > 50).length} of ${frames.length} frames took more than 50 ms`)
  console.log(`the slowest call: ${slowest?.path ?? ''}`)
  if (problems.length > 0) console.log(problems.slice(0, 10))
  await browser.close()
})
