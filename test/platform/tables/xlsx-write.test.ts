import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromSpreadsheetCell } from '#kernel/spreadsheet-cell.ts'
import { textOf } from '#platform/tables/rows.ts'
import { openSheet } from '#platform/tables/xlsx/sheet.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { seed } from '../../seed.ts'
import { partOf } from './workbook.ts'

const columns = [
  { header: 'CPF' },
  { header: 'Início', isDate: true },
  { header: 'Texto', choices: ['sim', 'não', `não & "x", ${'y'.repeat(300)}`] },
]
type Row = readonly (string | null)[]
const write = (rows: readonly Row[]) => buffer(workbookOf('Vidas', columns, [rows]))

async function read(bytes: Buffer): Promise<string[][]> {
  const task = { bytes, sheet: 'Vidas', folder: tmpdir() }
  const sheet = await openSheet(task, { columnOf: (name) => ({ name, parse: String }), required: ['CPF'] })
  const rows: string[][] = []
  for (let row = sheet.rows.next(); row !== null; row = sheet.rows.next()) rows.push(row.cells?.map(textOf) ?? [])
  sheet.close()
  return rows
}

test('a workbook that is written is read as it was, whatever its texts', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('=1+1', "'=1", '@x', '_x0041_', '<&">', 'a\nb', '00123'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20 }), async (pairs) => {
      const kept = pairs.map(([cpf, last]) => [cpf.replaceAll('\0', ''), last.replaceAll('\0', '')] as const)
      const rows = kept.map(([cpf, last], n) => [cpf, n % 2 === 0 ? '2026-12-01' : '', last])
      const expected = rows
        .map((cells) => cells.map((cell) => cell.toWellFormed().trim()))
        .filter((cells) => cells.some((cell) => cell !== ''))
      const found = (await read(await write(rows))).map((cells) =>
        cells.map((cell) => fromSpreadsheetCell(cell).trim()),
      )
      // A text that is a formula is not escaped, and one that looks escaped gets another apostrophe.
      expect(found).toEqual(expected)
    }),
    { numRuns: 200, seed },
  )
})

test('has texts and days only: no formula, with lists of choices, the same bytes each time', async () => {
  const rows: Row[] = [
    ['00123456789', '2026-12-01', '=HYPERLINK("x")'],
    ['-1', '31/02/2026', null],
  ]
  const bytes = await write(rows)
  const xml = await partOf(bytes, 'xl/worksheets/sheet1.xml')
  expect(xml).not.toContain('<f>')
  expect(xml).toContain(
    '<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">00123456789</t></is></c><c r="B2" s="2"><v>46357</v></c>',
  )
  expect(xml).toContain(
    '<c r="C2" s="3" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(&quot;x&quot;)</t></is></c>',
  )
  expect(xml).toContain('sqref="C2:C1048576"><formula1>Listas!$A$1:$A$3</formula1>')
  expect(await partOf(bytes, 'xl/worksheets/sheet2.xml')).toContain(`não &amp; &quot;x&quot;, ${'y'.repeat(300)}`)
  expect(await write(rows)).toEqual(bytes)
})

test('an error of the rows ends the workbook with it', async () => {
  const rows = async function* (): AsyncGenerator<readonly Row[]> {
    yield [['1', null, null]]
    throw new Error('the rows broke off')
  }
  await expect(buffer(workbookOf('Vidas', columns, rows()))).rejects.toThrow('the rows broke off')
})
