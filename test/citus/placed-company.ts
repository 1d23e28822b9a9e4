import { inject } from 'vitest'
import type { Client, Company, TestApp } from '../world/test-app.ts'

/** The node that the tests of this folder stop or take out of the cluster: a worker, not the first one, which locks for all. */
export const lastNode = new URL(inject('nodeUrls').at(-1) ?? '')

/** A company with its partner. */
export interface PlacedCompany {
  readonly company: Company
  readonly partner: Client
}

/** Makes companies until the rows of one are, or are not, on the last node. */
export async function placeCompany(testApp: TestApp, onLastNode: boolean): Promise<PlacedCompany> {
  for (;;) {
    const company = await testApp.company()
    if ((await isOnLastNode(testApp, company)) === onLastNode) {
      return { company, partner: await testApp.partner(company.taxId) }
    }
  }
}

export async function isOnLastNode(testApp: TestApp, company: Company): Promise<boolean> {
  const [row] = await testApp.sql<{ port: number }>(
    `select nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('member', $1::uuid)`,
    [company.id],
  )
  return String(row?.port) === lastNode.port
}
