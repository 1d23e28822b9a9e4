import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { analyzeGrownTables } from '#platform/core/analyze-tables.ts'
import { largeBatch, sendBatch } from '../../crash/load.ts'
import { type IdleTestApp, openIdleTestApp, targetOf } from '../../crash/steps.ts'
import { products } from '../../crash/tenant.ts'
import { until } from '../../world/test-app.ts'

let idle: IdleTestApp
let context: Context

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
})

afterAll(() => idle.close())

/** The companies in the statistics of `movement_item`. */
const knownCompanies = async () => {
  const [row] = await idle.testApp.sql<{ known: string[] }>(
    `select most_common_vals::text::text[] as known from pg_stats where tablename = 'movement_item' and attname = 'company_id'`,
  )
  return row?.known ?? []
}

async function stage(size: number): Promise<string> {
  const company = await idle.testApp.company()
  expect(await sendBatch(await targetOf(idle.testApp, company), largeBatch(size, products))).toBe(200)
  const [row] = await idle.testApp.sql<{ id: string }>('select id from company where tax_id = $1', [company.taxId])
  return row?.id ?? ''
}

/*
 * PostgreSQL assumes no rows for a company that is missing in statistics that list all others. Any index led by `company_id` is then good
 * enough, and each row of a batch reads the whole company.
 */
test('a company with work that the statistics do not list is analyzed although its table has hardly grown', async () => {
  await idle.testApp.sql('alter table movement_item set (autovacuum_enabled = false)')
  const first = await stage(900)
  await idle.testApp.sql('analyze movement_item')
  expect(await knownCompanies()).toEqual([first])
  const second = await stage(600)
  const known = await until(
    async () => {
      await analyzeGrownTables(context.database)
      return knownCompanies()
    },
    (companies) => companies.length === 2,
  )
  expect(known.toSorted()).toEqual([first, second].toSorted())
})
