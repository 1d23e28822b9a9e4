import { describe, expect, test } from 'vitest'
import { readOwnOrAny, readsOfCaller } from '../../src/http/reads-of-caller.ts'
import type { Client } from '../../src/core/actor.ts'
import type { Sql } from '../../src/core/database.ts'

const caller = { clientId: 'partner', api: 'partner' } as Client

/** A database that records its statements. @param found whether the rows of each statement of the test have `found`. */
function recording(tables: readonly string[], companies: number, found: readonly boolean[] = []) {
  const statements: { text: string; values: readonly unknown[] }[] = []
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    if (text.includes('from entitlement')) {
      const count = values[1] === null ? companies : 1
      return Array.from({ length: count }, (_, n) => ({ companyId: `company-${n}` })) as unknown as Row[]
    }
    statements.push({ text, values })
    return [{ found: found[statements.length - 1] }] as unknown as Row[]
  }
  const sql: Sql = {
    query,
    queryPlanned: query,
    execute: async () => 0,
    now: () => new Date(),
    distributedTables: () => tables,
  }
  return { sql, statements }
}

const text = 'select from entitled t join member m on m.id = $1 where exists (select from enrollment e) and $2'

describe('readsOfCaller', () => {
  test('without Citus statements are as they are, and nothing is read before', async () => {
    const { sql } = recording([], 1)
    expect(await readsOfCaller(sql, caller)).toBe(sql)
  })

  test.each(['query', 'queryPlanned'] as const)(
    'on Citus %s reads each distributed table for the companies of the caller only',
    async (method) => {
      const { sql, statements } = recording(['enrollment', 'member'], 2)
      await (await readsOfCaller(sql, caller))[method](text, ['a', 'b'])
      expect(statements).toEqual([
        {
          text:
            'select from entitled t join (select * from member where company_id = any($3::uuid[])) m on m.id = $1 ' +
            'where exists (select from (select * from enrollment where company_id = any($3::uuid[])) e) and $2',
          values: ['a', 'b', ['company-0', 'company-1']],
        },
      ])
    },
  )

  test.each([
    ['another table whose name begins alike', 'from member_removal r'],
    ['a reference table', 'join company c on true'],
    ['a table without an alias', 'from member where true'],
  ])('on Citus %s is left as it is', async (_case, reference) => {
    const { sql, statements } = recording(['enrollment', 'member'], 1)
    await (await readsOfCaller(sql, caller)).query(`select ${reference}`)
    expect(statements[0]?.text).toBe(`select ${reference}`)
  })

  test('on Citus a statement of one company reads that company, whatever number the caller has', async () => {
    const { sql, statements } = recording(['member'], 101)
    await (await readsOfCaller(sql, caller, '11222333000181')).query('select from member m')
    expect(statements[0]?.values).toEqual([['company-0']])
  })

  test.each([0, 101])('on Citus a caller with %i companies reads as before', async (companies) => {
    const { sql } = recording(['member'], companies)
    expect(await readsOfCaller(sql, caller)).toBe(sql)
  })
})

describe('readOwnOrAny', () => {
  test.each([
    ['found in the caller’s companies: read once', ['member'], [true], 1],
    ['not found there: read in all companies', ['member'], [false, true], 2],
    ['without Citus: read once', [], [false], 1],
  ] as const)('%s', async (_case, tables, found, reads) => {
    const { sql, statements } = recording(tables, 1, found)
    const row = await readOwnOrAny(sql, caller, async (own) => {
      const [one] = await own.query<{ found: boolean }>('select from member m')
      return one ?? { found: false }
    })
    expect(row.found).toBe(found.at(-1))
    expect(statements.map((one) => one.text.includes('company_id'))).toEqual([tables.length > 0, false].slice(0, reads))
  })
})
