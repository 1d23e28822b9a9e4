import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, expectOk, type House, nextCpf, openHouse } from './harness.ts'
import { bookOf, csv, dependentOf, holder, memberOf, ndjson, newId, path, sendImport } from './import.ts'

let house: House
let company: Company
let partner: Client

beforeAll(async () => {
  house = await openHouse()
  company = await house.company()
  partner = await house.partner(company.taxId)
})
afterAll(() => house.close())

test('smoke', async () => {
  const one = holder(company)
  const child = dependentOf(company, one['tax-id'])
  const answer = await sendImport(house.operator, ndjson([one, child]))
  expect(answer.body).toEqual({})
})
