import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureFirstOperator } from '#access/operators/first-operator.ts'
import { readSecretHashes } from '#access/clients/queries.ts'
import { openSecrets } from '#access/clients/secrets.ts'
import { StartError } from '#platform/core/errors.ts'
import { openScratch } from './scratch-database.ts'

const masterKey = randomBytes(32)
const secrets = openSecrets(masterKey)
const none = { operatorClientId: null, operatorClientSecret: null }
const given = { operatorClientId: 'ops', operatorClientSecret: 'a secret of our own' }

let scratch: Awaited<ReturnType<typeof openScratch>>
beforeEach(async () => {
  scratch = await openScratch()
})
afterEach(() => scratch.close())

const operators = () =>
  scratch.database.query<{ id: string }>("select id, name, role, revoked_at from client where api = 'operator'")

async function opens(clientId: string, secret: string): Promise<boolean> {
  // As another process of the service does, which has verified nothing before.
  const hashes = await readSecretHashes(scratch.database, clientId)
  return openSecrets(masterKey).verify(clientId, hashes, secret)
}

describe('the first operator', () => {
  test('is made up once, by one of the processes that start at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () => ensureFirstOperator(scratch.database, secrets, none)),
    )
    const [first, ...others] = made.filter((one) => one !== null)
    expect(others).toEqual([])
    expect(await operators()).toMatchObject([{ id: first?.clientId, name: 'First operator', role: 'admin' }])
    expect(await opens(first?.clientId ?? '', first?.clientSecret ?? '')).toBe(true)
    expect(await scratch.database.query('select actor, action, target from audit')).toEqual([
      { actor: 'service', action: 'operator.created', target: first?.clientId },
    ])
    expect(await ensureFirstOperator(scratch.database, secrets, none)).toBeNull()
  })

  test('is the one of the configuration, which is not shown and not changed later', async () => {
    await Promise.all(Array.from({ length: 4 }, () => ensureFirstOperator(scratch.database, secrets, given)))
    expect(await operators()).toMatchObject([{ id: 'ops', name: 'First operator', role: 'admin' }])
    const changed = { ...given, operatorClientSecret: 'another secret of ours' }
    expect(await ensureFirstOperator(scratch.database, secrets, changed)).toBeNull()
    expect(await opens('ops', given.operatorClientSecret)).toBe(true)
    expect(await opens('ops', changed.operatorClientSecret)).toBe(false)
  })

  test('stays removed, and when no admin lives another is made up', async () => {
    await ensureFirstOperator(scratch.database, secrets, given)
    await scratch.database.execute('update client set revoked_at = now()')
    const made = await ensureFirstOperator(scratch.database, secrets, given)
    expect(made?.clientId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await operators()).toHaveLength(2)
    expect(await ensureFirstOperator(scratch.database, secrets, given)).toBeNull()
  })

  test("never is a partner's client", async () => {
    await scratch.database.execute(
      "insert into client (id, api, name, created_at) values ('ops', 'partner', 'Folha', now())",
    )
    await expect(ensureFirstOperator(scratch.database, secrets, given)).rejects.toThrow(StartError)
  })
})
