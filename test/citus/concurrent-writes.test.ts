import { transact } from '#platform/core/transaction.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkActor } from '#platform/core/access.ts'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { primary } from '../data/people.ts'
import { useTestApp } from '../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let database: Database

beforeAll(() => {
  database = openDatabase(
    { url: testApp.databaseUrl, connections: 1, namedStatements: false, applicationName: 'test' },
    openLog('error'),
  )
})

afterAll(() => database.close())

test('a write of a client does not wait for the transaction of another client', async () => {
  const [company, others] = [await testApp.company(), await testApp.company()]
  const [one, other] = [await testApp.partner(company.taxId), await testApp.partner(others.taxId)]
  const origin = { address: '127.0.0.1', traceId: 'test' }
  const caller = { clientId: one.clientId, kind: 'partner', origin } as const
  await database[transact](async (sql) => {
    expect(await checkActor(sql, caller, 'partner', [company.id], true)).toEqual([company.id])
    expect((await other.post('/v1/webhook-endpoint', { url: 'http://127.0.0.1:59998/' })).status).toBe(200)
    const body = { 'company-tax-id': others.taxId, members: [primary()] }
    expect((await other.post('/v1/enrollment/inclusion', body)).status).toBe(200)
  })
})
