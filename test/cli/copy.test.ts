import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendar, makeContract } from '../world/contract.ts'
import { plansOf } from '../world/shipment.ts'
import { health, type Json, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  await cli.signIn(testApp.url, { operator: testApp.operator })
})
afterAll(() => cli.clear())

async function vigencia(...words: string[]): Promise<Json> {
  const outcome = await cli.run([...words, '--json'])
  expect([words, outcome.code, outcome.err]).toEqual([words, 0, outcome.err])
  return outcome.json
}

test('a built-in layout is copied; what `show --json` prints of the copy is put, and creates another', async () => {
  const { result: mecsas } = await vigencia('layout', 'show', 'mecsas')
  const { result: made } = await vigencia('layout', 'copy', 'mecsas', '--name', 'Aurora')
  expect(made).toMatchObject({ name: 'Aurora', 'built-in': false, definition: mecsas.definition })
  const id: string = made['layout-id']
  const shown = await vigencia('layout', 'show', id)
  const [{ columns }] = shown.result.definition.records
  columns[0] = { heading: columns[0].heading, literal: '9' }
  const file = await cli.file('layout.json', JSON.stringify(shown))
  const { result: put } = await vigencia('layout', 'put', id, file)
  expect(put.definition).toEqual(shown.result.definition)
  const { result: created } = await vigencia('layout', 'create', file)
  expect(created).toMatchObject({ name: 'Aurora', definition: put.definition })
  expect(created['layout-id']).not.toBe(id)
  expect(await cli.run(['layout', 'copy', 'nowhere', '--name', 'x'])).toMatchObject({ code: 1 })
})

test('a contract is copied without its products; what `show --json` prints of it is put', async () => {
  const company = await testApp.company()
  const plans = plansOf(company, health)
  const contract = await makeContract(testApp, company, {
    plans,
    calendar: calendar(20),
    layouts: { movement: 'mecsas' },
  })
  const id: string = contract['contract-id']
  const { result: copy } = await vigencia('contract', 'copy', id, '--contract-number', '900002')
  const own = { 'contract-id': expect.any(String), 'contract-number': '900002', plans: [] }
  expect(copy).toEqual({ ...contract, ...own })
  expect(copy['contract-id']).not.toBe(id)
  const shown = await vigencia('contract', 'show', copy['contract-id'])
  shown.result.lives = '30-or-more'
  const file = await cli.file('contract.json', JSON.stringify(shown))
  const { result: put } = await vigencia('contract', 'put', copy['contract-id'], file)
  expect(put).toEqual({ ...copy, lives: '30-or-more' })
  const said = await cli.run(['contract', 'copy', id, '--contract-number', '900003'])
  expect(said).toMatchObject({ code: 0, err: expect.stringContaining('no products yet') })
  const again = await cli.run(['contract', 'copy', id, '--contract-number', '900003'])
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('contract-number') })
})
