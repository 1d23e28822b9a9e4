import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invalidHosts, neverCalledHosts, privateHosts, publicHosts } from './ssrf-corpus.ts'
import { isPublicAddress, mayConnectTo, blockedTarget } from '#events/webhooks/ssrf-filter.ts'

const staging = { httpsOnly: false, allowPrivate: false }
const laptop = { httpsOnly: false, allowPrivate: true }

describe('the host of a URL', () => {
  test.for([...privateHosts, ...neverCalledHosts])('%s is private', (host) => {
    for (const url of [`http://${host}/`, `https://${host}:8443/hook?x=1`]) {
      expect(blockedTarget(url, staging)).toBe('private-address')
    }
  })

  test.for(invalidHosts)('%j is none', (host) => {
    expect(blockedTarget(`http://${host}/`, staging)).toBe('invalid')
  })

  test.for(publicHosts)('%s may be called, as far as it is spelt out', (host) => {
    expect(blockedTarget(`https://${host}/hook`, { httpsOnly: true, allowPrivate: false })).toBe(null)
  })

  test.for(privateHosts)('%s may be called where private addresses are allowed', (host) => {
    expect(blockedTarget(`http://${host}/`, staging)).toBe('private-address')
    expect(blockedTarget(`http://${host}/`, laptop)).toBe(null)
  })

  test.for(neverCalledHosts)('%s is never called, not even where private addresses are allowed', (host) => {
    for (const url of [`http://${host}/`, `https://${host}:8443/latest/meta-data?x=1`]) {
      expect(blockedTarget(url, laptop)).toBe('private-address')
      expect(blockedTarget(url, staging)).toBe('private-address')
    }
  })

  test.for(invalidHosts)('%j is none where private addresses are allowed either', (host) => {
    expect(blockedTarget(`http://${host}/`, laptop)).toBe('invalid')
  })
})

test.for([
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '100.100.100.200',
  '168.63.129.16',
  'fe80::1',
  'fe80::1%eth0',
  'febf:ffff::1',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:0254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:100.100.100.200',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::100.100.100.200',
  '2002:a9fe:a9fe::1',
  'no address',
  '',
])('%j from a resolver is never connected to, not even where private addresses are allowed', (address) => {
  expect(mayConnectTo(address, true)).toBe(false)
  expect(mayConnectTo(address, false)).toBe(false)
})

test.for([
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.100.100.199',
  '100.100.100.201',
  '169.253.255.255',
  '169.255.0.0',
  'fd00:ec2::253',
  'fd12:3456::1',
  '8.8.8.8',
])('%s from a resolver is connected to where private addresses are allowed', (address) => {
  expect(mayConnectTo(address, true)).toBe(true)
})

test.for([
  ['http://payroll.example/', 'https-required'],
  ['HTTP://payroll.example/', 'https-required'],
  ['https://user@payroll.example/', 'credentials-not-allowed'],
  ['https://:secret@payroll.example/', 'credentials-not-allowed'],
  ['https://127.0.0.1@payroll.example/', 'credentials-not-allowed'],
  ['https://payroll.example@127.0.0.1/', 'credentials-not-allowed'],
  ['https://payroll.example:25/', 'port-not-allowed'],
  ['https://payroll.example:22/', 'port-not-allowed'],
  ['https://payroll.example:0/', 'port-not-allowed'],
  ['https://payroll.example:1023/', 'port-not-allowed'],
  ['https://payroll.example:65536/', 'invalid'],
  ['https:payroll.example', 'invalid'],
  ['https:/payroll.example', 'invalid'],
  ['//payroll.example/', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
  ['data:text/plain,x', 'invalid'],
  ['javascript:alert(1)', 'invalid'],
  [' https://payroll.example/', 'invalid'],
  ['https://payroll.example/\r\nHost: x', 'invalid'],
  [`https://payroll.example/${'a'.repeat(2_000)}`, 'invalid'],
  ['https://payroll.example:80/', null],
  ['https://payroll.example:443/', null],
  ['https://payroll.example:1024/', null],
  ['https://payroll.example:65535/?q=%20#part', null],
] as const)('%s in production: %s', ([url, reason]) => {
  expect(blockedTarget(url, { httpsOnly: true, allowPrivate: false })).toBe(reason)
})

test('the corpus is as large as it is said to be', () => {
  expect(new Set([...privateHosts, ...neverCalledHosts, ...invalidHosts]).size).toBeGreaterThan(150)
})

const networks = [
  [0x7f000000, 8],
  [0x0a000000, 8],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xa9fe0000, 16],
  [0x64400000, 10],
  [0xe0000000, 3],
] as const

test('any address of a private network is private, however it is written', () => {
  const address = fc
    .tuple(fc.constantFrom(...networks), fc.nat(0xffffffff))
    .map(([[network, bits], random]) => (network + (random % 2 ** (32 - bits))) >>> 0)
  const radix = fc.constantFrom<(value: number) => string>(
    (value) => String(value),
    (value) => `0x${value.toString(16)}`,
    (value) => `0${value.toString(8)}`,
    (value) => `0X${value.toString(16).toUpperCase().padStart(10, '0')}`,
  )
  const parts = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(
      address,
      parts,
      fc.array(radix, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      (value, count, write, dot) => {
        const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
        const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0)
        const host = [...bytes.slice(0, count - 1), rest].map((part, n) => write[n]?.(part) ?? '').join('.')
        expect(blockedTarget(`http://${host}${dot ? '.' : ''}/`, staging)).toBe('private-address')
      },
    ),
  )
})

test('an IPv4 address inside an IPv6 one that maps, translates or tunnels it is never public', () => {
  const hex = (value: number) => value.toString(16)
  fc.assert(
    fc.property(fc.nat(0xffff), fc.nat(0xffff), (high, low) => {
      const four = `${hex(high)}:${hex(low)}`
      for (const six of [`::ffff:${four}`, `::${four}`, `::ffff:0:${four}`, `64:ff9b::${four}`, `2002:${four}::1`]) {
        expect(isPublicAddress(six)).toBe(false)
      }
    }),
  )
})

test.for(['', 'payroll.example', '127.1', '0x7f.1', 'fe80::1%eth0', '::ffff:127.0.0.1', '2001:db8::1%1', '1.2.3'])(
  '%j from a resolver is not connected to',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
  },
)
