import { expect, test } from 'vitest'
import { whileLocked } from '../../world/locked-table.ts'
import { type ApiResponse, expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

/* What finds a change of the audit is tested in test/audit. */

const testApp = useTestApp({ VIGENCIA_ROLE: 'all' })
const path = '/operator/v1/audit/verification'

const verify = async (query = ''): Promise<Json> => expectOk(await testApp.operator.get(path + query)).body.result

/** A verification when all rows are in blocks. */
const complete = () => until(verify, ({ pending }) => pending === 0)

test('an unchanged audit is intact, and holds an earlier head, in upper case, too', async () => {
  await testApp.company()
  const first = await complete()
  const [count] = await testApp.sql('select count(*)::int as rows from audit')
  expect(first).toEqual({
    intact: true,
    rows: count?.['rows'],
    blocks: expect.any(Number),
    pending: 0,
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
    findings: [],
  })
  await testApp.company()
  const second = await complete()
  expect(second.rows).toBeGreaterThan(first.rows)
  expect(second.head).not.toBe(first.head)
  expect(await verify(`?expected-head=${first.head.toUpperCase()}`)).toEqual(second)
  const unknown = await verify(`?expected-head=${'0'.repeat(64)}`)
  expect(unknown).toEqual({ ...second, intact: false, findings: [{ kind: 'head-unknown' }] })
  const auditor = await testApp.operatorOf('auditor')
  expect((await auditor.get(`${path}?expected-head=0`)).body).toMatchObject({
    code: 'invalid-parameter',
    details: [{ field: 'expected-head', code: 'invalid' }],
  })
})

test('another verification meanwhile waits for the first', async () => {
  const lock = 'lock table audit_block in access exclusive mode'
  let second: Promise<ApiResponse> | undefined
  const [first] = await whileLocked(testApp, lock, [() => testApp.operator.get(path)], async () => {
    second = testApp.operator.get(path)
  })
  expect([first?.status, (await second)?.status]).toEqual([200, 200])
})

test('a changed row is found; of many findings 100 are shown', async () => {
  await complete()
  const [row] = await testApp.sql('select id::text, action from audit order by id limit 1')
  await testApp.sql(`update audit set action = 'x' where id = $1`, [row?.['id']])
  expect(await verify()).toMatchObject({ intact: false, findings: [{ kind: 'edited', row: row?.['id'], block: 1 }] })
  await testApp.sql('update audit set action = $2 where id = $1', [row?.['id'], row?.['action']])
  expect((await verify()).intact).toBe(true)
  await testApp.sql(`insert into audit (id, at, actor, action, target)
    select gen_random_uuid(), now(), 'x', 'x', 'x' from generate_series(1, 101)`)
  const { intact, findings } = await verify()
  expect([intact, findings.length, new Set(findings.map(({ kind }: Json) => kind))]).toEqual([
    false,
    100,
    new Set(['inserted']),
  ])
})
