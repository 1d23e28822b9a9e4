import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#platform/core/actor.ts'
import { deactivated } from '#platform/core/events.ts'
import { type Tx, write, type WriteOptions } from '#platform/core/write.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { openScratch } from '../../access/auth/scratch-database.ts'

let scratch: Awaited<ReturnType<typeof openScratch>>
beforeAll(async () => {
  scratch = await openScratch()
  await scratch.database.execute(
    `insert into company (id, tax_id, name, search_name, created_at, updated_at)
     values ('${company}', '11222333000181', 'A', 'a', now(), now()), ('${other}', '11444777000161', 'B', 'b', now(), now())`,
  )
  await scratch.database.execute(
    `insert into client (id, api, name, role, created_at, revoked_at) values ('partner', 'partner', 'P', null, now(), null),
       ('revoked', 'partner', 'P', null, now(), now()), ('analyst', 'operator', 'O', 'analyst', now(), null),
       ('admin', 'operator', 'O', 'admin', now(), null)`,
  )
  await scratch.database.execute(
    `insert into entitlement (client_id, company_id, created_at) values ('partner', '${company}', now())`,
  )
})
afterAll(() => scratch.close())

const company = '01995e0b-12c4-7d0a-8f31-5a6e0c9b7d42'
const other = '01995e0b-12c4-7d0a-8f31-5a6e0c9b7d43'
const origin = { address: '127.0.0.1', traceId: 'trace' }
const partner = { kind: 'partner', clientId: 'partner', origin } as const
const operator = (clientId: string) => ({ kind: 'operator', clientId, origin }) as const
const row = (target: string) => ({ action: 'client.created', target, companyId: company }) as const
const event = deactivated({
  id: '01995e0d-2a18-7c66-9b02-7f4e1d3c5a60',
  memberId: '29131770-a92b-87e7-aade-0f9e72a2762d',
})

const run = <T>(actor: Actor, options: WriteOptions<undefined>, work: (tx: Tx) => Promise<T>) =>
  write(scratch, actor, options, work)
const written = async () => {
  const [found] = await scratch.database.query<{ audit: string[]; events: number }>(
    `select (select coalesce(array_agg(actor || ' ' || target order by id), '{}') from audit) as audit,
       (select count(*)::int from event) as events`,
  )
  await scratch.database.execute('truncate audit, audit_pending, event, event_batch')
  return found
}

test('writes the audit rows and events of the work, of its actor and of another one in its place', async () => {
  await run(partner, { may: 'partner' }, async (tx) => {
    tx.audit([row('one'), row('two')])
    tx.as({ kind: 'resolution' }).audit(row('three'))
    tx.emit(company, [event, event])
    tx.emit(other, event)
  })
  expect(await written()).toEqual({ audit: ['partner one', 'partner two', 'resolution three'], events: 3 })
})

test('leaves nothing behind work that throws, and runs no callback', async () => {
  let ran = 0
  const failing = run(partner, { may: 'partner' }, async (tx) => {
    tx.audit(row('one'))
    tx.emit(company, event)
    tx.afterCommit(() => (ran += 1))
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect([ran, await written()]).toEqual([0, { audit: [], events: 0 }])
})

test('undoes a savepoint with its events, audit and callbacks, and keeps what was before', async () => {
  const ran: string[] = []
  const part = async (tx: Tx, name: string) => {
    tx.audit(row(name))
    tx.emit(company, event)
    tx.afterCommit(() => ran.push(name))
    await tx.execute(`update company set name = $1 where id = $2`, [name, company])
    return name
  }
  await run(partner, { may: 'partner' }, async (tx) => {
    await part(tx, 'before')
    await tx.savepoint(
      () => part(tx, 'dry run'),
      () => false,
    )
    await tx
      .savepoint(async () => {
        await part(tx, 'thrown')
        throw new Error('broken')
      })
      .catch(() => null)
    await tx.savepoint(() => part(tx, 'kept'))
  })
  expect(ran).toEqual(['before', 'kept'])
  expect(await written()).toEqual({ audit: ['partner before', 'partner kept'], events: 2 })
  expect(await scratch.database.query(`select name from company where id = '${company}'`)).toEqual([{ name: 'kept' }])
})

test('of an attempt that is repeated nothing is reported twice', async () => {
  let attempts = 0
  await run(partner, { may: 'partner' }, async (tx) => {
    attempts += 1
    tx.audit(row('once'))
    if (attempts === 1) throw Object.assign(new Error('serialization failure'), { code: '40001' })
  })
  expect([attempts, await written()]).toEqual([2, { audit: ['partner once'], events: 0 }])
})

test.each<[string, Actor, WriteOptions<undefined>, string]>([
  ['a revoked client', { ...partner, clientId: 'revoked' }, { may: 'partner' }, 'client-revoked'],
  ['an unknown operator', operator('nobody'), { may: ['analyst'] }, 'client-revoked'],
  ['an operator of another role', operator('analyst'), { may: ['finance'] }, 'role-not-allowed'],
  [
    'a partner of another company',
    partner,
    { may: 'partner', companies: { ids: [company, other], entitled: 'all', error: () => notEntitled('company') } },
    'not-entitled',
  ],
])('%s is refused before the work, and after the locks', async (_name, actor, options, code) => {
  const seen: string[] = []
  const lock = async () => void seen.push('lock')
  for (const one of [options, { ...options, lock }]) {
    await expect(run(actor, one, async () => seen.push('work'))).rejects.toMatchObject({ code })
  }
  expect(seen).toEqual([])
})

test('a partner is entitled to some of the companies, an admin to everything', async () => {
  const companies = { ids: [company, other], entitled: 'some', error: () => notEntitled('company') } as const
  expect(await run(partner, { may: 'partner', companies }, async (tx) => tx.entitledCompanyIds)).toEqual([company])
  expect(await run(operator('admin'), { may: [] }, async () => 'done')).toBe('done')
})

test('an actor of another kind is an error of the program', async () => {
  await expect(run({ kind: 'clock' }, { may: 'partner' }, async () => null)).rejects.toThrow('clock acts where partner')
  await expect(run(operator('admin'), { may: 'partner' }, async () => null)).rejects.toThrow('operator acts where')
  await expect(run(partner, { may: 'service' }, async () => null)).rejects.toThrow('partner acts where service')
})

test('a client that is revoked while the locks are waited for does nothing', async () => {
  const revoke = (at: string) => scratch.database.execute(`update client set revoked_at = ${at} where id = 'partner'`)
  const lock = async () => {
    await revoke('now()')
    return undefined
  }
  await expect(run(partner, { may: 'partner', lock }, async () => 'done')).rejects.toMatchObject({
    code: 'client-revoked',
  })
  await revoke('null')
})

test('the response is stored last, and a call without one is an error of the program', async () => {
  const saved: unknown[] = []
  const saveResponse = async (_sql: unknown, response: unknown, companyIds?: readonly string[]) => {
    saved.push([response, companyIds])
  }
  await run(partner, { may: 'partner', saveResponse }, async (tx) => tx.respond({ id: 1 }, [company]))
  expect(saved).toEqual([[{ id: 1 }, [company]]])
  await expect(run(partner, { may: 'partner', saveResponse }, async () => null)).rejects.toThrow('no response')
})
