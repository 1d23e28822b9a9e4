import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress, mayConnectTo, blockedTarget } from '../../src/webhooks/ssrf-filter.ts'

const staging = { httpsOnly: false, allowPrivate: false }
const laptop = { httpsOnly: false, allowPrivate: true }

/** Spellings of hosts that are not the public internet: each is refused as it stands in a URL. */
const privateHosts = [
  // loopback, in every way in which a URL may write an IPv4 address
  '127.0.0.1',
  '127.0.0.1.',
  '127.0.0.1...',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0x0.0.1',
  '0x7F.0.0.1',
  '00000177.0.0.1',
  '127.0.0.01',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.0.0.1',
  '1２7.0.0.1',
  // this host
  '0',
  '0.0.0.0',
  '0x0',
  '0.1.2.3',
  '00',
  // names of loopback
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'app.localhost',
  'app.localhost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  // private, carrier-grade NAT
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '0xac100001',
  '192.168.0.1',
  '192.168.1',
  '3232235521',
  '100.64.0.1',
  '100.127.255.255',
  // reserved, documentation, benchmarks, multicast, broadcast
  '192.0.0.8',
  '192.0.0.170',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  // IPv6
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:10.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::a00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[3ffe::1]',
  '[100::1]',
  '[fc00::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[5f00::1]',
  '[4000::1]',
  '[FD12:3456:789A::1]',
]

/** Link-local addresses and metadata services of clouds, in every spelling. */
const neverCalledHosts = [
  '169.254.0.0',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.169.254.',
  '169.254.170.2',
  '169.254.255.255',
  '2852039166',
  '0xa9fea9fe',
  '0XA9FEA9FE',
  '025177524776',
  '0251.0376.0251.0376',
  '0xa9.0xfe.0xa9.0xfe',
  '0xa9.254.43518',
  '169.16689662',
  '169.254.43518',
  '%31%36%39.254.169.254',
  '１６９.２５４.１６９.２５４',
  '169。254。169。254',
  '①⑥⑨.254.169.254',
  '100.100.100.200',
  '1684301000',
  '0x646464c8',
  '0144.0144.0144.0310',
  '100.100.25800',
  '168.63.129.16',
  '[fe80::1]',
  '[FE80::A9FE:A9FE]',
  '[fe90::1]',
  '[febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff]',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0:0:0:0:0:0254]',
  '[fd00:ec2::0.0.2.84]',
  '[fd20:ce::254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::ffff:100.100.100.200]',
  '[::ffff:6464:64c8]',
  '[::169.254.169.254]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::100.100.100.200]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[2002:6464:64c8::]',
  '[2001:0:a9fe:a9fe::1]',
  '[2001:0:53aa:64c:0:fbf5:5601:5601]',
  '[64:ff9b:1::1]',
  '[2001::1]',
  '[2001:0:53aa:64c:0:fbf5:80ff:fffe]',
  '[febf::1]',
]

/** Not URLs of a host at all. */
const invalidHosts = [
  '[fe80::1%25eth0]',
  '[fe80::1%eth0]',
  '[::1',
  '[::1].',
  '256.0.0.1',
  '127.0.0.1.5',
  '0x100000000',
  '1.2.3.4.5',
  '127.0.0.1 ',
  '127.0.0.1\t',
  '127.0.0.1\\@example.com',
  '\u0000127.0.0.1',
  'a b',
  '',
  '[v1.fe80::1]',
  '[127.0.0.1]',
]

const publicHosts = [
  '8.8.8.8',
  '1.1.1.1',
  '134744072',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '11.0.0.1',
  '[2606:4700:4700::1111]',
  '[2001:4860:4860::8888]',
  '[2a00::1]',
  '[2003::1]',
  '[3fef::1]',
  'payroll.example',
  'localhost.example.com',
  'notlocalhost',
  'exämple.com',
  '127.0.0.1.nip.io',
]

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
