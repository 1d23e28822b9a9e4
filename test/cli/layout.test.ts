import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cli, openCli } from './command.ts'

let cli: Cli

beforeAll(async () => {
  cli = await openCli()
})

afterAll(() => cli.clear())

const columns = [
  { at: 1, length: 10, source: 'person.name', format: 'upper-ascii', required: true },
  { at: 11, length: 8, source: 'person.date-of-birth', format: 'date:ddMMyyyy' },
]
const layout = {
  name: 'Aurora',
  direction: 'movement',
  definition: { format: 'fixed-width', 'record-length': 20, records: [{ name: 'movement', columns }] },
}
const json = (name: string, value: unknown) => cli.file(name, JSON.stringify(value))

test('a layout is checked without a service, with each error', async () => {
  const good = await cli.run(['layout', 'check', await json('good.json', layout)])
  expect(good).toMatchObject({ code: 0, out: '', err: 'The layout can be used.\n' })
  const wrong = { ...layout, definition: { ...layout.definition, 'record-length': 12 } }
  const bad = await cli.run(['layout', 'check', await json('bad.json', wrong), '--json'])
  expect(bad).toMatchObject({ code: 1, err: 'The layout has 1 errors.\n' })
  expect(bad.json.result).toEqual([
    {
      field: 'definition.records[0].columns[1].length',
      code: 'invalid',
      message: 'Ends after character 12, the last one of a line.',
    },
  ])
})

test('movements are written by a layout, and problems are said in words', async () => {
  const movements = await json('movements.json', {
    movements: [
      { 'movement.kind': 'inclusion', 'person.name': 'Inês', 'person.date-of-birth': '1990-01-31' },
      { 'movement.kind': 'inclusion', 'person.name': 'Maria Antonieta' },
    ],
  })
  const file = await json('good.json', layout)
  const written = await cli.run(['layout', 'render', file, movements])
  expect(written).toMatchObject({
    code: 5,
    out: 'INES      31011990  \r\n',
    err: 'Movement 2: “person.name” is longer than the column 1. Shorten it, or let the layout truncate it.\n',
  })
  const refused = await cli.run(['layout', 'render', 'generic-csv-acknowledgement', movements])
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('direction acknowledgement') })
  const numbers = await json('numbers.json', { movements: [{ 'person.name': 1 }] })
  expect(await cli.run(['layout', 'render', file, numbers])).toMatchObject({ code: 2 })
})

test('a file is read by a built-in layout', async () => {
  const file = await cli.file('answer.csv', 'enrollment-id;outcome\nE1;accepted\nE2;maybe\n')
  const read = await cli.run(['layout', 'parse', 'generic-csv-acknowledgement', file])
  expect(read.code).toBe(5)
  expect(read.out.split('\n')[1]).toBe('2\tanswer\tmovement.enrollment-id=E1 acknowledgement.outcome=accepted')
  expect(read.err).toBe(
    'Line 3: The column outcome does not have a value of its format.\n1 lines are read, 1 refused, 1 left out.\n',
  )
  const other = await cli.file('other.csv', 'Nome\nAna\n')
  expect(await cli.run(['layout', 'parse', 'generic-csv-acknowledgement', other])).toMatchObject({
    code: 2,
    err: expect.stringContaining('The file has no line with the headings of the layout'),
  })
})
