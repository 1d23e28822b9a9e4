import { expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOf, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { csv, holder, sendImport } from '../../world/import.ts'
import { covered, employee, openSync, putList } from '../../world/rosters.ts'
import { expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

/* NUL and half of a surrogate pair, which PostgreSQL does not store, where a file names its columns. */

const testApp = useTestApp()

/** A workbook whose headings have them, as XML writes them. */
function workbookOf(row: Readonly<Record<string, Json>>): Buffer {
  const cells = (texts: readonly string[]) => rowOf(texts.map(textCell))
  const headings = [...Object.keys(row), 'a_x0000_', 'b_xD800_']
  return bookOf({ sheets: [{ xml: cells(headings) + cells([...Object.values(row).map(String), 'x', 'y']) }] })
}

test('an import names its columns with U+FFFD in their place', async () => {
  const company = await testApp.company()
  const files = [
    [csv([{ ...holder(company), 'a\0': 'x' }]), 'text/csv', ['a\ufffd']],
    [workbookOf(holder(company)), xlsxType, ['a\ufffd', 'b\ufffd']],
  ] as const
  for (const [file, type, names] of files) {
    const { body } = expectOk(await sendImport(testApp.operator, file, { type }))
    expect(body).toMatchObject({ accepted: 1, rejected: 0 })
    for (const field of names) expect(body.warnings).toContainEqual({ warning: 'unknown-column', field })
  }
})

test('a list of who should be covered is compared', async () => {
  const company = await testApp.company()
  const payroll = await testApp.partner(company.taxId)
  const one = employee(1)
  await covered(testApp, company, [one])
  const table = csv([{ ...one, 'a\0': 'x' }])
  for (const [list, type] of [
    [table, 'text/csv'],
    [workbookOf(one), xlsxType],
  ] as const) {
    const sync = await openSync(payroll, company, { states: ['people'] })
    const put = await putList(payroll, sync, list, '/v1', { 'content-type': type, prefer: 'wait=60' })
    expect(put.status).toBeLessThan(500)
    const { status, problems } = await until(
      async () => expectOk(await payroll.get(`/v1/roster-sync/${sync['roster-sync-id']}`)).body.result,
      (seen: Json) => !['open', 'reading', 'comparing'].includes(seen.status),
    )
    expect({ type, status, problems }).toEqual({ type, status: 'compared', problems: [] })
  }
})
