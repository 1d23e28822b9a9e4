import { beforeEach, describe, expect, test } from 'vitest'
import { failureBucket } from '#access/auth/failures.ts'
import { networkOf } from '#platform/core/networks.ts'
import { personOf, sameOrigin } from '../../world/person.ts'
import { type ApiResponse, useTestApp } from '../../world/test-app.ts'

/* Guesses at passwords from many addresses, which a trusted proxy names. */

const testApp = useTestApp({ VIGENCIA_TRUSTED_PROXIES: '127.0.0.1,::1' })
beforeEach(() => testApp.sql('delete from authentication_failure'))

/** Each test has networks of its own: a process counts the failures of a network for a minute. */
let networks = 0
const newAddress = () => `198.51.100.${(networks += 1)}`

const signIn = (from: string, email: string, password: string): Promise<ApiResponse> =>
  testApp.call('POST', '/operator/v1/session', {
    body: { email, password },
    headers: { ...sameOrigin, 'x-forwarded-for': from },
  })

async function guess(from: string, email: string, times: number): Promise<number[]> {
  const statuses = []
  for (let n = 0; n < times; n += 1) statuses.push((await signIn(from, email, `palpite de teste ${n}`)).status)
  return statuses
}

/** A person who has signed in from the address. */
async function knownAt(address: string) {
  const person = await personOf(testApp, 'analyst')
  expect((await signIn(address, person.email, person.password)).status).toBe(200)
  return person
}

describe('a right password from where the person signed in before is neither delayed nor refused', () => {
  test('for guesses at the account from other networks, which together are refused after twenty', async () => {
    const home = newAddress()
    const person = await knownAt(home)
    const all = []
    for (let n = 0; n < 5; n += 1) all.push(...(await guess(newAddress(), person.email, 5)))
    expect(all).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    expect((await signIn(home, person.email, person.password)).status).toBe(200)
    // Who is new there waits.
    expect((await signIn(newAddress(), person.email, person.password)).status).toBe(429)
  })

  test('for what others behind the same address do', async () => {
    const office = newAddress()
    const [person, stranger] = [await knownAt(office), await personOf(testApp, 'analyst')]
    for (let n = 0; n < 52; n += 1) await signIn(office, `nobody-${n}@people.example`, 'palpite de teste')
    expect((await signIn(office, stranger.email, stranger.password)).status).toBe(429)
    expect((await signIn(office, person.email, person.password)).status).toBe(200)
  })

  test('while passwords of others wait for their hashes', async () => {
    const home = newAddress()
    const person = await knownAt(home)
    const flood = Array.from({ length: 300 }, (_, n) =>
      signIn(`203.0.113.${n % 100}`, `flood-${n}@people.example`, 'palpite de teste'),
    )
    const statuses = []
    for (let n = 0; n < 5; n += 1) statuses.push((await signIn(home, person.email, person.password)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    await Promise.all(flood)
  })

  test('for the own guesses from there it waits, those at once no less than one after the other', async () => {
    const home = newAddress()
    const person = await knownAt(home)
    const all = await Promise.all(Array.from({ length: 15 }, () => guess(home, person.email, 1)))
    expect(all.flat().toSorted()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
    expect((await signIn(home, person.email, person.password)).status).toBe(429)
  })
})

test('guesses from all addresses of one /64 are those of one network', async () => {
  const person = await personOf(testApp, 'analyst')
  const all = []
  for (let n = 1; n <= 12; n += 1) all.push(...(await guess(`2001:db8:1:2:${n}::${n}`, person.email, 1)))
  expect(all).toEqual([...Array(10).fill(401), 429, 429])
  expect(await guess('2001:db8:1:3::1', person.email, 1)).toEqual([401])
})

test('what a person signed in from is stored as a keyed hash, of the last ten networks', async () => {
  const person = await personOf(testApp, 'analyst')
  for (let n = 0; n < 12; n += 1) await signIn(newAddress(), person.email, person.password)
  const [row] = await testApp.sql(
    `select cardinality(sign_in_networks) as count, (select array_agg(distinct length(one)) from unnest(sign_in_networks) one) as lengths
       from person where email = $1`,
    [person.email],
  )
  expect(row).toEqual({ count: 10, lengths: [32] })
})

test('the bucket of an account depends on the key of the installation', () => {
  const of = (key: string) => failureBucket(Buffer.alloc(32, key), 'ana@broker.example', '192.0.2.1')
  expect(of('a')).toBe(of('a'))
  expect(of('a')).not.toBe(of('b'))
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
