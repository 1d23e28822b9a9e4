import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clientAddressOf } from '#platform/http/client-address.ts'
import { parseNetworks } from '#platform/core/networks.ts'

const proxies = '10.0.0.0/8, 192.0.2.7,2001:db8:1::/48'

/** The address of a call over a connection from `peer`. */
function addressOf(peer: string, forwardedFor?: string, trusted: string | null = proxies): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const call = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
  return clientAddressOf(call, trusted === null ? null : parseNetworks(trusted))
}

const cases: [what: string, peer: string, forwardedFor: string | undefined, address: string][] = [
  ['the entry that a proxy appended', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['the last entry that is no proxy, not what the client sent', '10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['behind two proxies', '10.1.2.3', '1.1.1.1, 203.0.113.9,192.0.2.7', '203.0.113.9'],
  ['IPv6, and a proxy of IPv6', '2001:db8:1::5', '2001:db8:2::9 , 10.0.0.1', '2001:db8:2::9'],
  ['a proxy whose address is mapped into IPv6', '::ffff:10.1.2.3', '203.0.113.9, ::ffff:192.0.2.7', '203.0.113.9'],
  ['a client that is no proxy: the header is not read', '203.0.113.1', '203.0.113.9', '203.0.113.1'],
  ['a neighbour of a proxy is none', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
  ['no header', '10.1.2.3', undefined, '10.1.2.3'],
  ['an empty header', '10.1.2.3', '', '10.1.2.3'],
  ['an entry that cannot be read ends the search', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
  ['also behind a proxy', '10.1.2.3', '203.0.113.9, unknown, 192.0.2.7', '192.0.2.7'],
  ['an entry with a port', '10.1.2.3', '203.0.113.9:4711', '10.1.2.3'],
  ['an empty entry', '10.1.2.3', '203.0.113.9,', '10.1.2.3'],
  ['an address of another spelling', '10.1.2.3', '203.0.113.009', '10.1.2.3'],
  ['proxies alone: the first', '10.1.2.3', '10.0.0.9, 192.0.2.7', '10.0.0.9'],
]

describe('the address of a client', () => {
  test.for(cases)('%s', ([, peer, forwardedFor, address]) => {
    expect(addressOf(peer, forwardedFor)).toBe(address)
  })
  test('without trusted proxies is that of the connection', () => {
    expect(addressOf('10.1.2.3', '203.0.113.9', null)).toBe('10.1.2.3')
  })
  test('with a zone is compared without it', () => {
    expect(addressOf('fe80::1%eth0', '203.0.113.9', 'fe80::/10')).toBe('203.0.113.9')
  })
})

describe('a list of networks', () => {
  test.for(['10.0.0.1', '10.0.0.1/32', '0.0.0.0/0', '::1', '::/0', ' 10.0.0.0/8 , ::1/128 '])('reads %j', (text) => {
    expect(parseNetworks(text)).not.toBeNull()
  })
  test.for([
    '',
    ',',
    '10.0.0.1,',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'proxy',
    'fe80::1%eth0',
    '1.2.3.4 5.6.7.8',
  ])('refuses %j', (text) => {
    expect(parseNetworks(text)).toBeNull()
  })
})
