import type { Rng } from '../crash/rng.ts'
import { pick } from './generate.ts'

/** Stands for text that `JSON.stringify` cannot write, between these marks. */
const rawMark = '@@raw:'
const raw = (text: string) => `${rawMark}${text}@@`

/** JSON text of a value, with the raw parts as they are. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(/"@@raw:[^@]*@@"/g, (quoted) =>
    (JSON.parse(quoted) as string).slice(rawMark.length, -2),
  )
}

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f\u0085',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\uffff',
  '\u2028\u2029',
  '\u202eabc\u202c',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(150),
  'İıſK',
  'ﬀ'.repeat(100),
  '५२९९८२२४७२५',
  '５２９９８２２４７２５',
  '11111111111',
  '529.982.247-25',
  '52998224725 ',
  '12ABC34501DE35',
  '12.abc.345/01de-35',
  '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
  '01995E0C-6F3A-7C52-9D0E-3B1F6A7C9D21',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21}',
  "' or 1=1 --",
  '"; drop table member; --',
  '\\',
  '\\x00',
  '%',
  '_',
  '%_%\\',
  '$1',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'C:\\con',
  'a\r\nX-Injected: 1',
  '=cmd|0',
  '@SUM(1)',
  'NaN',
  'null',
  'true',
  '-0',
  '1e309',
  '0x10',
  '9007199254740993',
  '99999999999999999999999999999999',
  '-1',
  '0000-00-00',
  '0000-01-01',
  '2026-02-29',
  '2026-13-01',
  '9999-12-31',
  '10000-01-01',
  '275760-09-14',
  '-000001-01-01',
  '2026-11-23T23:59:60Z',
  '2026-11-23T00:00:00+23:59',
  '9999-12-31T23:59:59.999999Z',
  '1000-01-01T00:00:00Z',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'x'.repeat(199),
  'x'.repeat(200),
  'x'.repeat(201),
  'x'.repeat(8_200),
  'é'.repeat(255),
  '=|=|=',
  'tax-id=|tax-id=',
  'a b',
  'true,false',
]

const deep = (depth: number) => raw(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/** Values of any JSON type; the marks of raw text stand for what `JSON.stringify` cannot write. */
function hostileValue(rng: Rng): unknown {
  switch (rng.between(0, 9)) {
    case 0:
      return pick(rng, [null, true, false, [], {}, [[]], [null], [{}], { '': '' }])
    case 1:
      return pick(rng, [
        0,
        -1,
        1,
        1.5,
        -0.1,
        1e308,
        2 ** 31,
        2 ** 31 - 1,
        -(2 ** 31),
        2 ** 53 - 1,
        2 ** 53,
        -(2 ** 63),
        1e21,
      ])
    case 2:
      return raw(
        pick(rng, [
          '1e400',
          '-1e400',
          '1e-400',
          '-0',
          '9223372036854775808',
          '1'.repeat(400),
          '0.1e1',
          '01',
          '+1',
          'NaN',
          'Infinity',
          '.5',
          'undefined',
          "'a'",
        ]),
      )
    case 3:
      return deep(pick(rng, [2, 30, 63, 64, 65, 2_000]))
    case 4:
      return raw(
        pick(rng, [
          '{"__proto__": {"admin": true}}',
          '{"constructor": {"prototype": {"admin": true}}}',
          '{"toString": 1}',
          '{"\\u005f_proto__": 1}',
          '{"length": 1000000}',
          '{"a":1,"a":2}',
          '"\\ud800"',
          '"\\u0000"',
          '"\\uD83D\\uDE00"',
          '"\\u0001"',
          '"\\x"',
        ]),
      )
    case 5:
      return Array.from({ length: rng.between(2, 60) }, (_, n) => n)
    case 6:
      return Object.fromEntries(Array.from({ length: rng.between(2, 60) }, (_, n) => [`k${n}`, n]))
    default:
      return pick(rng, hostileTexts)
  }
}

/** A copy of a JSON value with one thing changed somewhere. */
export function mutated(rng: Rng, value: unknown): unknown {
  const places: (readonly (string | number)[])[] = []
  const walk = (inner: unknown, path: readonly (string | number)[]) => {
    places.push(path)
    if (typeof inner !== 'object' || inner === null) return
    for (const [key, next] of Object.entries(inner)) walk(next, [...path, key])
  }
  walk(value, [])
  const path = pick(rng, places)
  const copy = structuredClone({ root: value }) as Record<string, unknown>
  const keys = ['root', ...path]
  const last = keys.pop() as string
  let holder = copy
  for (const key of keys) holder = holder[key] as Record<string, unknown>
  change(rng, holder, last)
  return copy['root']
}

function change(rng: Rng, holder: Record<string, unknown>, key: string): void {
  const value = holder[key]
  switch (rng.between(0, 7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return
    case 1:
      if (Array.isArray(value)) value.push(...(value as unknown[]).slice(0, 2))
      else if (typeof value === 'object' && value !== null)
        Object.assign(value, { [pick(rng, hostileTexts)]: hostileValue(rng) })
      else holder[key] = [value]
      return
    case 2:
      if (typeof value === 'string') holder[key] = cut(rng, value)
      else if (typeof value === 'number') holder[key] = -value
      else holder[key] = JSON.stringify(value)
      return
    case 3:
      if (typeof value === 'string' && !/^https?:/.test(value)) holder[key] = value + pick(rng, hostileTexts)
      else holder[key] = null
      return
    default:
      holder[key] = hostileValue(rng)
  }
}

/** A text that lacks a part; never one that could be the address of another host. */
function cut(rng: Rng, text: string): string {
  const at = rng.between(0, text.length)
  return /^https?:/.test(text) ? '' : text.slice(0, at) + text.slice(at + rng.between(1, 3))
}

/** Damages the bytes of a body. */
export function mutatedBytes(rng: Rng, bytes: Buffer): Buffer {
  const at = rng.between(0, bytes.length)
  const between = (middle: Buffer, dropped: number) =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + dropped)])
  switch (rng.between(0, 8)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return between(
        Buffer.from(pick(rng, ['00', 'ff', 'c0af', 'eda080', 'efbbbf', 'fffe', 'f4908080', '0d0a', '22', '5c']), 'hex'),
        0,
      )
    case 2:
      return Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes])
    case 3:
      return between(Buffer.alloc(0), rng.between(1, 4))
    case 4:
      return Buffer.concat([bytes, bytes])
    case 5:
      return Buffer.from(bytes.toString('utf8'), 'utf16le')
    case 6:
      return between(bytes.subarray(0, rng.between(0, 40)), 0)
    case 7:
      return Buffer.concat([bytes, Buffer.from(pick(rng, [',', '}', ' \n', '//', '\0', '"']))])
    default: {
      const copy = Buffer.from(bytes)
      if (copy.length > 0) copy[rng.between(0, copy.length - 1)] = rng.between(0, 255)
      return copy
    }
  }
}

type Header = readonly [string, string]

/** Headers that clients do not send, or not so. */
export function hostileHeaders(rng: Rng): Header[] {
  const long = 'x'.repeat(pick(rng, [300, 4_000, 9_000]))
  return pick<Header[]>(rng, [
    [
      [
        'content-type',
        pick(rng, [
          'text/plain',
          'application/json; charset=utf-16',
          'application/xml',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'multipart/form-data; boundary=',
          'application/json;',
          ';',
          'a',
          '/',
          'application/JSON; charset="utf-8"',
          'text/csv; charset=windows-1252',
          'application/json, text/plain',
        ]),
      ],
    ],
    [
      ['content-type', 'application/json'],
      ['content-type', 'text/plain'],
    ],
    [['content-encoding', pick(rng, ['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip', ''])]],
    [
      [
        'accept-encoding',
        pick(rng, ['gzip', 'br', 'gzip;q=0', '*', '*;q=0', 'identity;q=0', 'gzip, br;q=1.0000', ';;;,', long]),
      ],
    ],
    [
      [
        'accept-language',
        pick(rng, ['pt-BR', 'pt', 'en;q=0.1, pt;q=1', '*', 'x'.repeat(500), ';q=', 'pt-BR;q=NaN', '\u00e9']),
      ],
    ],
    [['accept', pick(rng, ['text/html', 'application/xml', '*/*;q=0', long, ''])]],
    [
      [
        'idempotency-key',
        pick(rng, [
          '',
          ' ',
          '"',
          '""',
          'a',
          '"a"',
          "'a'",
          'x'.repeat(255),
          'x'.repeat(256),
          'a,b',
          '\u00e9',
          '"\\"',
          '?1',
          ':YQ==:',
          '529.982.247-25',
        ]),
      ],
    ],
    [
      ['idempotency-key', 'fuzz-1'],
      ['idempotency-key', 'fuzz-2'],
    ],
    [
      [
        'prefer',
        pick(rng, [
          'return=minimal',
          'handling=strict',
          'handling=lenient',
          'handling=strict, handling=lenient',
          'respond-async',
          '=',
          '"',
          long,
        ]),
      ],
    ],
    [
      [
        'range',
        pick(rng, [
          'bytes=0-0',
          'bytes=-1',
          'bytes=0-',
          'bytes=5-2',
          'bytes=0-1,3-4',
          'bytes=99999999999999999999-',
          'lines=1-2',
          'bytes=',
          'bytes=-',
          `bytes=${' '.repeat(2_000)}`,
        ]),
      ],
    ],
    [
      ['if-none-match', '*'],
      ['if-modified-since', 'Sun, 22 Nov 2026 20:00:00 GMT'],
      ['if-range', '"a"'],
    ],
    [['x-request-id', pick(rng, ['', '52998224725', 'a b', 'x'.repeat(200), 'payroll-7', '\u00e9', '<script>'])]],
    [
      ['x-forwarded-for', pick(rng, ['127.0.0.1', '::1', 'a, b', long, '1.2.3.4:80'])],
      ['forwarded', 'for="[::1]"'],
      ['x-forwarded-host', 'evil.example'],
    ],
    [
      ['x-http-method-override', 'DELETE'],
      ['x-original-url', '/operator/v1/client'],
    ],
    [
      [
        'cookie',
        pick(rng, [
          'vigencia-session=',
          'vigencia-session=x; vigencia-session=y',
          'vigencia-session=%00',
          '=',
          ';;;',
          '__proto__=1',
          `a=${long}`,
          'vigencia-session="',
          '\u00e9=\u00e9',
        ]),
      ],
    ],
    [
      ['origin', pick(rng, ['null', 'https://evil.example', 'http://', '', 'x'.repeat(500)])],
      ['sec-fetch-site', pick(rng, ['cross-site', 'same-origin', 'none', '?'])],
    ],
    [
      [
        'traceparent',
        pick(rng, [
          '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          '00-00000000000000000000000000000000-0000000000000000-00',
          'ff-x-y-z',
          long,
        ]),
      ],
      ['tracestate', 'a='.repeat(200)],
    ],
    [
      [
        'authorization',
        pick(rng, [
          'Bearer',
          'Bearer ',
          'bearer a.b.c',
          'Basic YTpi',
          'Bearer eyJhbGciOiJub25lIn0.e30.',
          `Bearer ${long}`,
          'Bearer a b',
          '\u00e9',
        ]),
      ],
    ],
    [['host', pick(rng, ['', 'evil.example', 'a b', '[::1', 'x'.repeat(300)])]],
    [
      ['upgrade', 'websocket'],
      ['connection', 'upgrade'],
    ],
    [['te', 'trailers']],
    [
      ['__proto__', '1'],
      ['constructor', '1'],
      ['x-constructor', long],
    ],
    [['dnt', '1'], ...Array.from({ length: 60 }, (_, n): Header => [`x-many-${n}`, 'y'])],
  ])
}

/** A segment of a path or a part of a query as it goes over the wire. */
export function hostileEncoded(rng: Rng): string {
  if (rng.oneIn(4))
    return pick(rng, [
      '%',
      '%zz',
      '%00',
      '%C0%80',
      '%ED%A0%80',
      '%u0041',
      '%25',
      '%2F',
      '%2e%2e',
      '%2e%2e%2f',
      '+',
      ';',
      ';a=b',
      '*',
      '~',
      '(',
      '%0d%0aX:1',
      '%F0%9F%92%A9',
      'a'.repeat(5_000),
      '%20'.repeat(300),
      '[]',
      '[a]',
      'a[b]=c',
    ])
  return encoded(pick(rng, hostileTexts))
}

/** Percent-encodes also what is no Unicode text: a lone surrogate as its three bytes. */
export function encoded(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80')
}
