import { expect, test } from 'vitest'
import { whileLocked } from '../../world/locked-table.ts'
import { expectOk, useTestApp } from '../../world/test-app.ts'

/* The audit in the order in which things took effect: what ends the access of a client is dated after the client's last write. */

const testApp = useTestApp()

/** Makes the call while a write of the client is in progress. @returns whether its audit row is dated after that write. */
async function isDatedAfterWrite(clientId: string, action: string, call: () => Promise<unknown>): Promise<boolean> {
  let writtenAt: unknown
  // As a write of the client locks it.
  const write = `select from client where id = '${clientId}' for share`
  await whileLocked(testApp, write, [call], async () => {
    const [row] = await testApp.sql(`select date_trunc('milliseconds', clock_timestamp())::text as at`)
    writtenAt = row?.['at']
  })
  const rows = await testApp.sql(
    'select at >= $3::timestamptz as "isAfter" from audit where target = $1 and action = $2',
    [clientId, action, writtenAt],
  )
  expect(rows).toHaveLength(1)
  return rows[0]?.['isAfter']
}

test('the revocation of a client is dated after the writes that it waited for', async () => {
  const { clientId } = await testApp.partner((await testApp.company()).taxId)
  const revoke = async () => expectOk(await testApp.operator.delete(`/operator/v1/client/${clientId}`))
  expect(await isDatedAfterWrite(clientId, 'client.revoked', revoke)).toBe(true)
  const [client] = await testApp.sql(
    `select revoked_at <= now() and revoked_at >= (select at from audit where target = client.id and action = 'client.revoked') as "isLast"
       from client where id = $1`,
    [clientId],
  )
  expect(client).toEqual({ isLast: true })
})

test('so are the removal of an operator and the change of its role', async () => {
  const { clientId } = await testApp.operatorOf('analyst')
  const path = `/operator/v1/operator/${clientId}`
  const change = async () => expectOk(await testApp.operator.put(`${path}/role`, { role: 'finance' }))
  expect(await isDatedAfterWrite(clientId, 'operator.role-changed', change)).toBe(true)
  const remove = async () => expectOk(await testApp.operator.delete(path))
  expect(await isDatedAfterWrite(clientId, 'operator.removed', remove)).toBe(true)
})

test('and the end of an entitlement', async () => {
  const company = await testApp.company()
  const { clientId } = await testApp.partner(company.taxId)
  const path = `/operator/v1/client/${clientId}/company/${company.taxId}`
  const end = async () => expectOk(await testApp.operator.delete(path))
  expect(await isDatedAfterWrite(clientId, 'entitlement.revoked', end)).toBe(true)
})
