import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { hostileWorkbooks } from '../../platform/tables/hostile-workbooks.ts'
import { bookOf, rowOf } from '../../platform/tables/workbook.ts'
import { sendImport } from '../../world/import.ts'
import { useTestApp, useCompany } from '../../world/test-app.ts'

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

const { company, partner } = useCompany(testApp)

test.for(hostileWorkbooks.map((one, n) => ({ ...one, isOfPartner: n % 2 === 0 })))(
  'a workbook $name is shown, or refused, before it is sent',
  async ({ make, outcome, isOfPartner }) => {
    const { status } = isOfPartner
      ? await partner.post(`/v1/table?movement=inclusion&company-tax-id=${company.taxId}`, make(), type)
      : await testApp.operator.post('/operator/v1/member/import/table', make(), type)
    expect('lines' in outcome ? [200, 400] : [200, 400, 415]).toContain(status)
  },
)

/** A workbook whose cells share a text, as a spreadsheet program writes it. */
function sharedBook(rows: number, length: number): Buffer {
  const header = ['Nome', 'CPF', 'Tipo de beneficiário', 'Nome da mãe', 'Data de nascimento', 'Sexo', 'Produto']
  const shared = [...header, 'a'.repeat(length)].map((text) => `<si><t>${text}</t></si>`).join('')
  const cells = (numbers: readonly number[]) => rowOf(numbers.map((n) => `<c t="s"><v>${n}</v></c>`))
  const xml = cells(header.map((_, n) => n)) + cells([header.length]).repeat(rows)
  return bookOf({ sheets: [{ xml }], shared })
}

const asPartner = () => `/v1/table?movement=inclusion&company-tax-id=${company.taxId}`

test('a small workbook whose cells have more text together than the largest file is refused, whoever sends it', async () => {
  const bytes = sharedBook(7_600, 32_000)
  expect(bytes.length).toBeLessThan(200_000)
  for (const [client, path] of [
    [partner, asPartner()],
    [testApp.operator, '/operator/v1/member/import/table'],
  ] as const) {
    const { status, body } = await client.post(path, bytes, type)
    expect([status, body.details?.[0]?.message]).toEqual([400, expect.stringContaining('16 MiB')])
  }
})

test('the longest response of a table comes whole, also to twenty that read it late', async () => {
  const bytes = sharedBook(500, 32_000)
  const read = async () => {
    const response = await fetch(`${testApp.url}${asPartner()}`, {
      method: 'POST',
      headers: { ...type, authorization: `Bearer ${partner.token}` },
      body: new Uint8Array(bytes),
    })
    return { status: response.status, response }
  }
  const all = await Promise.all(Array.from({ length: 20 }, read))
  for (const { status, response } of all) {
    expect(status).toBe(200)
    const { result } = (await response.json()) as { result: { rows: { cells: string[] }[] } }
    expect(result.rows.map(({ cells }) => cells[0]?.length)).toEqual(Array.from({ length: 500 }, () => 32_000))
  }
})

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
    const program = new URL('../../platform/tables/read-workbooks.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...files])
    const { read, before, peak } = JSON.parse(stdout) as Record<'read' | 'before' | 'peak', number>
    expect(read).toBe(files.length)
    expect(peak - before).toBeLessThan(300 * 1024)
  } finally {
    await rm(folder, { recursive: true })
  }
})
