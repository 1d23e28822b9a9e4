import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { Json, TestApp } from './test-app.ts'

type Query = TestApp['sql']

export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Workers Launched'?: number
  readonly Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The nodes of the plans of the statements that `ask` makes. */
export async function planOf(query: Query, ask: (sql: Sql) => Promise<unknown>): Promise<Plan[]> {
  const requested: { text: string; values: readonly unknown[] }[] = []
  const note = async (text: string, values: readonly unknown[] = []) => {
    requested.push({ text, values })
    return []
  }
  const sql = {
    query: note,
    queryPlanned: note,
    execute: async () => 0,
    now: () => new Date(),
  }
  // Without a row the client counts as revoked.
  await ask(sql).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  if (requested.length === 0) throw new Error('no statement')
  const plans: Plan[] = []
  for (const { text, values } of requested) plans.push(...(await explained(query, text, values)))
  return plans
}

/** The nodes of the plan of a statement. */
export async function explained(query: Query, text: string, values: readonly unknown[]): Promise<Plan[]> {
  const [row] = await query<Json>(`explain (analyze, timing off, format json) ${text}`, [...values])
  return nodesOf(row?.['QUERY PLAN'][0].Plan)
}

/**
 * The most rows that one step of a plan reads, in each process of a parallel plan; a handful of companies and products may well be read each time. A
 * bitmap of an index is no rows: those that are read are in the heap scan above it.
 */
export const maxRows = (plan: readonly Plan[]): number =>
  Math.max(
    ...plan
      .filter((node) => node['Node Type'] !== 'Bitmap Index Scan')
      .filter((node) => !['company', 'product', 'entitlement'].includes(node['Relation Name'] ?? ''))
      .map(
        (node) =>
          (node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) *
          node['Actual Loops'],
      ),
  ) /
  (1 + Math.max(...plan.map((node) => node['Workers Launched'] ?? 0)))
