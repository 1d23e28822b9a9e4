import { beforeAll, expect, test } from 'vitest'
import type { Frame, Page } from 'playwright-core'
import { writePdf } from '../../src/demo/pdf.ts'
import { type Client, type Company, dependent, expectOk, health, type Json, primary } from '../http/test-app.ts'
import { upload } from '../http/upload.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()
let company: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

async function included(member: Json, ...others: Json[]): Promise<string> {
  const request = await testApp.include(partner, company, [member, ...others])
  return request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
}

const frameOf = async (page: Page): Promise<Frame> => {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
  if (frame == null) throw new Error('the page has no frame')
  return frame
}

test('look', async () => {
  const pdf = await upload(partner, writePdf(['Certidão de casamento', 'Helena Brandão Souza']))
  const mother = primary({ salary: 523_000, documents: [{ 'document-id': pdf, 'document-type': 'marriage-certificate' }] })
  const child = dependent(mother['tax-id'])
  const id = await included(mother, child)
  for (const [theme, width] of [['light', 1280], ['dark', 1280], ['light', 390]] as const) {
    const { page, expectSound, problems } = await open(`/queue/${id}?index=0`, { role: 'analyst', theme, width })
    page.on('response', (r) => { if (r.status() > 399) console.log(r.status(), r.url()) })
    await page.reload()
    await page.getByText('1 página').waitFor({ timeout: 15000 }).catch(() => {})
    const frame = await frameOf(page)
    await frame.locator('canvas').waitFor({ timeout: 10000 }).catch(() => {})
    await page.screenshot({ path: `/tmp/mv-${theme}-${width}.png`, fullPage: true })
    console.log(problems, await frame.evaluate('self.origin'))
    await expectSound().catch((e: any) => console.log(JSON.stringify(e.actual)))
    if (width === 1280 && theme === 'dark') {
      await page.emulateMedia({ media: 'print' })
      await page.screenshot({ path: `/tmp/mv-print.png`, fullPage: true })
    }
  }
  expect(1).toBe(1)
})
