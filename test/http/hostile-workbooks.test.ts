import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { xlsxType } from '../../src/tables/media-type.ts'
import { hostileWorkbooks } from '../tables/hostile-workbooks.ts'
import { sendImport } from './import.ts'
import { type Client, type Company, useTestApp } from './test-app.ts'

const testApp = useTestApp()
const type = { 'content-type': xlsxType }

test.for(hostileWorkbooks)('a workbook $name has its outcome at an import', async ({ make, outcome }) => {
  const { status, body } = await sendImport(testApp.operator, make(), { type: xlsxType, query: '?dry-run=true' })
  if ('lines' in outcome) {
    expect([status, body.lines, body.accepted]).toEqual([200, outcome.lines, 0])
    return
  }
  expect([status, body.details]).toEqual([
    outcome.key === 'save-as-xlsx' ? 415 : 400,
    [{ field: 'file', code: 'invalid', message: expect.any(String) }],
  ])
})

let company: Company
let partner: Client
beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

test.for(hostileWorkbooks.map((one, n) => ({ ...one, isOfPartner: n % 2 === 0 })))(
  'a workbook $name is shown, or refused, before it is sent',
  async ({ make, outcome, isOfPartner }) => {
    const { status } = isOfPartner
      ? await partner.post(`/v1/table?movement=inclusion&company-tax-id=${company.taxId}`, make(), type)
      : await testApp.operator.post('/operator/v1/member/import/table', make(), type)
    expect('lines' in outcome ? [200, 400] : [200, 400, 415]).toContain(status)
  },
)

test('none of them takes much memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigencia-hostile-'))
  try {
    const files = await Promise.all(
      hostileWorkbooks.map(async ({ make }, n) => {
        const file = join(folder, `${n}.xlsx`)
        await writeFile(file, make())
        return file
      }),
    )
    const program = new URL('../tables/read-workbooks.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...files])
    const { read, before, peak } = JSON.parse(stdout) as Record<'read' | 'before' | 'peak', number>
    expect(read).toBe(files.length)
    expect(peak - before).toBeLessThan(300 * 1024)
  } finally {
    await rm(folder, { recursive: true })
  }
})
