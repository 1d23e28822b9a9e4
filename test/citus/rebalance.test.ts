import { beforeAll, expect, test } from 'vitest'
import { lostAndDoubled, startMovements } from '../crash/movement-load.ts'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { health } from '../data/people.ts'
import { monday, until, useTestApp } from '../world/test-app.ts'
import { isOnLastNode, lastNode, type PlacedCompany, placeCompany } from './placed-company.ts'

const testApp = useTestApp()
const node = `'${lastNode.hostname}', ${lastNode.port}`
let placed: PlacedCompany

/* The cluster begins with a worker less. */
beforeAll(async () => {
  placed = await placeCompany(testApp, true)
  await testApp.sql(`select citus_drain_node(${node}, shard_transfer_mode => 'block_writes')`)
  // Otherwise Citus deletes the former shards later; until then none can be moved back.
  await testApp.sql('call citus_cleanup_orphaned_resources()')
  await testApp.sql(`select citus_remove_node(${node})`)
})

test('a worker is added and gets the rows of companies while clients include, alter and exclude: nothing lost or doubled, no 5xx but 503', async () => {
  const { company, partner } = placed
  const target = { token: partner.token, companyTaxId: company.taxId }
  const load = startMovements(target, () => [testApp.url], company.products[health] ?? '', 6)
  const reaches = (count: number) =>
    until(
      async () => load.writes,
      (writes) => writes >= count,
    )
  expect(await isOnLastNode(testApp, company)).toBe(false)
  await reaches(60)
  await testApp.sql(`select citus_add_node(${node})`)
  const added = load.writes
  await testApp.sql(`select rebalance_table_shards(shard_transfer_mode => 'force_logical')`)
  const rebalanced = load.writes
  expect(await isOnLastNode(testApp, company)).toBe(true)
  await reaches(rebalanced + 60)
  await load.end()
  await until(
    () => readOpenWork(testApp.sql, monday),
    (open) => open === 0,
  )
  console.log(
    `rebalance: ${load.writes} movements acknowledged, ${rebalanced - added} of them while rows moved; responses ${JSON.stringify([...load.responses])}, longest pause ${Math.round(load.longestGapMs)} ms`,
  )
  expect(load.unexpected).toEqual([])
  expect(rebalanced - added).toBeGreaterThan(0)
  expect(await lostAndDoubled(testApp.sql, load)).toEqual({ lost: 0, doubled: 0 })
  expect(await readViolations(testApp.sql)).toEqual({})
})
