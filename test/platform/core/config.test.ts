import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, readSettings } from '#platform/core/config.ts'
import { StartError } from '#platform/core/errors.ts'

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
const production = {
  ENVIRONMENT: 'production',
  MASTER_KEY: key,
  DATABASE_URL: 'postgres://vigencia@db/vigencia',
  PUBLIC_URL: 'https://benefits.example',
}

function read(settings: Record<string, string>) {
  return readConfig(Object.fromEntries(Object.entries(settings).map(([name, value]) => [`VIGENCIA_${name}`, value])))
}

function sentenceFor(settings: Record<string, string>): string {
  try {
    read(settings)
    return ''
  } catch (error) {
    return String(error)
  }
}

const refused: [string, Record<string, string>, RegExp][] = [
  [
    'an identity provider without a client',
    { OIDC_ISSUER: 'https://login.example' },
    /^Set VIGENCIA_OIDC_ISSUER, VIGENCIA_OIDC_CLIENT_ID and VIGENCIA_OIDC_CLIENT_SECRET together/,
  ],
  [
    'an identity provider without TLS',
    { OIDC_ISSUER: 'http://login.example', OIDC_CLIENT_ID: 'v', OIDC_CLIENT_SECRET: 's' },
    /^VIGENCIA_OIDC_ISSUER must begin with https:/,
  ],
  [
    'in production also one on this machine',
    { ...production, OIDC_ISSUER: 'http://127.0.0.1:8080', OIDC_CLIENT_ID: 'v', OIDC_CLIENT_SECRET: 's' },
    /^VIGENCIA_OIDC_ISSUER must begin with https:/,
  ],
  ['sessions without an end', { SESSION_HOURS: '0' }, /^VIGENCIA_SESSION_HOURS must be a whole number from 1 to 168/],
  [
    'an unknown setting',
    { PROT: '3000' },
    /^VIGENCIA_PROT is not a setting of this service\. Did you mean VIGENCIA_PORT\?/,
  ],
  ['a file for what is no secret', { PORT_FILE: '/dev/null' }, /^VIGENCIA_PORT_FILE is not a setting/],
  ['a port that is no number', { PORT: 'http' }, /^VIGENCIA_PORT must be a whole number from 0 to 65535/],
  ['a port out of range', { PORT: '65536' }, /^VIGENCIA_PORT must be/],
  ['a port with a sign', { PORT: '-1' }, /^VIGENCIA_PORT must be/],
  ['an unknown environment', { ENVIRONMENT: 'prod' }, /^VIGENCIA_ENVIRONMENT must be one of staging, production/],
  ['an unknown role', { ROLE: 'web' }, /^VIGENCIA_ROLE must be one of all, api, worker/],
  ['a public address of another kind', { PUBLIC_URL: 'ftp://x' }, /^VIGENCIA_PUBLIC_URL must begin with http:/],
  ['a public address that is none', { PUBLIC_URL: 'https://' }, /^VIGENCIA_PUBLIC_URL is no address/],
  ['a database of another kind', { DATABASE_URL: 'mysql://x', MASTER_KEY: key }, /^VIGENCIA_DATABASE_URL must begin/],
  [
    'a database address that is none',
    { DATABASE_URL: 'postgres://a:b@c:port/d' },
    /^VIGENCIA_DATABASE_URL is no address/,
  ],
  ['one connection', { DATABASE_CONNECTIONS: '1' }, /^VIGENCIA_DATABASE_CONNECTIONS must be a whole number from 2/],
  ['named statements neither on nor off', { NAMED_STATEMENTS: 'no' }, /^VIGENCIA_NAMED_STATEMENTS must be one of/],
  ['a flag that is neither true nor false', { DEMO: 'yes' }, /^VIGENCIA_DEMO must be one of true, false/],
  ['a short master key', { MASTER_KEY: 'c2hvcnQ=' }, /^VIGENCIA_MASTER_KEY must be 32 bytes in base64: .*openssl/],
  ['a database without a master key', { DATABASE_URL: 'postgres://x/y' }, /^VIGENCIA_MASTER_KEY is required with/],
  [
    'a database without an environment',
    { DATABASE_URL: 'postgres://x/y', MASTER_KEY: key },
    /^VIGENCIA_ENVIRONMENT is required with VIGENCIA_DATABASE_URL: set it to production, or to staging, where/,
  ],
  [
    'a database with an empty environment',
    { DATABASE_URL: 'postgres://x/y', MASTER_KEY: key, ENVIRONMENT: '' },
    /^VIGENCIA_ENVIRONMENT is required/,
  ],
  [
    'an operator without a secret',
    { OPERATOR_CLIENT_ID: 'op' },
    /_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together/,
  ],
  [
    'a secret without an operator',
    { OPERATOR_CLIENT_SECRET: 'x' },
    /_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together/,
  ],
  [
    'an operator with a space',
    { OPERATOR_CLIENT_ID: 'o p', OPERATOR_CLIENT_SECRET: 'x' },
    /^VIGENCIA_OPERATOR_CLIENT_ID/,
  ],
  [
    'a trusted proxy that cannot be read',
    { TRUSTED_PROXIES: '10.0.0.0/8,proxy' },
    /^VIGENCIA_TRUSTED_PROXIES must be addresses or CIDRs/,
  ],
  ['rate limits of two parts', { RATE_LIMITS: '600/120' }, /^VIGENCIA_RATE_LIMITS must be off, or/],
  [
    'hours of retention that end before they begin',
    { RETENTION_HOURS: '5-1' },
    /^VIGENCIA_RETENTION_HOURS must be off, or/,
  ],
  ['an unknown log level', { LOG_LEVEL: 'trace' }, /^VIGENCIA_LOG_LEVEL must be one of/],
  ['a day that is none', { BUSINESS_DATE: '2026-02-30' }, /^VIGENCIA_BUSINESS_DATE must be a date/],
  [
    'a secret file that is not there',
    { MASTER_KEY_FILE: '/nowhere/key' },
    /^VIGENCIA_MASTER_KEY_FILE names a file that cannot/,
  ],
  [
    'a secret and its file',
    { MASTER_KEY: key, MASTER_KEY_FILE: '/dev/null' },
    /^Set VIGENCIA_MASTER_KEY or .*, not both/,
  ],
]

const refusedInProduction: [string, Record<string, string>, RegExp][] = [
  [
    'no public address',
    { PUBLIC_URL: '' },
    /^Production needs VIGENCIA_PUBLIC_URL: set it to the address that callers/,
  ],
  ['demo data', { DEMO: 'true' }, /^Production refuses demo data: unset VIGENCIA_DEMO/],
  ['a pinned day', { BUSINESS_DATE: '2026-11-23' }, /^Production refuses a pinned day: unset VIGENCIA_BUSINESS_DATE/],
  [
    'private webhooks',
    { WEBHOOK_ALLOW_PRIVATE: 'true' },
    /^Production refuses VIGENCIA_WEBHOOK_ALLOW_PRIVATE: unset it/,
  ],
  [
    'a master key of one byte',
    { MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    /^VIGENCIA_MASTER_KEY is a default/,
  ],
  ...[
    'changeme-changeme',
    'change-me-please-now',
    'default-operator-1',
    'password12345678',
    'secret-secret-123',
    'short',
  ].map((secret): [string, Record<string, string>, RegExp] => [
    `the secret ${secret}`,
    { OPERATOR_CLIENT_ID: 'op', OPERATOR_CLIENT_SECRET: secret },
    /^VIGENCIA_OPERATOR_CLIENT_SECRET is a default or too short a secret: set one of your own/,
  ]),
]

describe('the start is refused with a sentence that names the setting', () => {
  test.for(refused)('%s', ([, settings, sentence]) => {
    expect(() => read(settings)).toThrow(StartError)
    expect(() => read(settings)).toThrow(sentence)
  })
  test.for(refusedInProduction)('in production: %s', ([, settings, sentence]) => {
    expect(() => read({ ...production, ...settings })).toThrow(StartError)
    expect(() => read({ ...production, ...settings })).toThrow(sentence)
  })
  test('in production: no master key, on the embedded engine too', () => {
    expect(() => read({ ENVIRONMENT: 'production' })).toThrow(/^Production needs VIGENCIA_MASTER_KEY: /)
  })
  test.for([...refused, ...refusedInProduction])('and never shows a secret: %s', ([, settings]) => {
    const secrets = Object.entries(settings).filter(([name]) => /KEY$|SECRET$|DATABASE_URL$/.test(name))
    const values = secrets.map(([, value]) => value).filter((value) => value.length > 8)
    const shown = values.filter((value) => sentenceFor(settings).includes(value))
    expect(shown).toEqual([])
  })
})

test('all problems are told at once, with the values but those of secrets', () => {
  const settings = {
    PORT: 'http',
    LOG_LEVL: 'info',
    ENVIRONMENT: 'prod',
    DATABASE_URL: 'mysql://vigencia:hidden@db/vigencia',
    OPERATOR_CLIENT_ID: 'op',
    XYZ: '1',
  }
  expect(sentenceFor(settings).replace('Error: ', '').split('\n')).toEqual([
    'VIGENCIA_LOG_LEVL is not a setting of this service. Did you mean VIGENCIA_LOG_LEVEL? Those it knows are in docs/reference/configuration.md.',
    'VIGENCIA_XYZ is not a setting of this service. Those it knows are in docs/reference/configuration.md.',
    'VIGENCIA_PORT must be a whole number from 0 to 65535. It is "http".',
    'VIGENCIA_ENVIRONMENT must be one of staging, production. It is "prod".',
    'VIGENCIA_DATABASE_URL must begin with postgres:// or postgresql://.',
    'Set VIGENCIA_OPERATOR_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together, or neither.',
    expect.stringMatching(/^VIGENCIA_MASTER_KEY is required with VIGENCIA_DATABASE_URL/),
  ])
})

test('a secret whose file cannot be read is not told to be missing too', () => {
  const { MASTER_KEY: _, ...others } = production
  expect(sentenceFor({ ...others, MASTER_KEY_FILE: '/nowhere/key' })).toBe(
    'Error: VIGENCIA_MASTER_KEY_FILE names a file that cannot be read.',
  )
})

test('a command that does not serve reads the same values and requires none of them', () => {
  const bare = readSettings({ VIGENCIA_DATABASE_URL: 'postgres://x/y' })
  expect(bare).toMatchObject({ databaseUrl: 'postgres://x/y', masterKey: null, publicUrl: null })
  expect(readSettings({ VIGENCIA_ENVIRONMENT: 'production' }).environment).toBe('production')
  expect(() => readSettings({ VIGENCIA_PROT: '3000' })).toThrow('VIGENCIA_PROT is not a setting')
  expect(() => readSettings({ VIGENCIA_MASTER_KEY: 'c2hvcnQ=' })).toThrow('VIGENCIA_MASTER_KEY must be 32 bytes')
})

describe('what is not set', () => {
  test('staging on the embedded engine has demo data, on the port 3000 of this machine alone', () => {
    expect(read({})).toMatchObject({
      environment: 'staging',
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: null,
      dataDir: '.data',
      demo: true,
      masterKey: null,
      logLevel: 'info',
    })
  })
  test('a database of one’s own, and production, have none', () => {
    expect(read({ DATABASE_URL: 'postgres://x/y', MASTER_KEY: key, ENVIRONMENT: 'staging' }).demo).toBe(false)
    expect(read(production).demo).toBe(false)
  })
  test('an empty value is as good as none', () => {
    expect(read({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null })
  })
  test('variables of others are not ours to judge', () => {
    expect(readConfig({ PATH: '/bin', VIGENCIA: 'x', OTHER_VIGENCIA_X: 'y' }).port).toBe(3000)
  })
})

test('accepts database URLs that pg accepts: a socket folder with or without a host, a password with an escaped character', () => {
  for (const address of [
    'postgres://vigencia@localhost:5432/vigencia?host=%2Fvar%2Frun&sslmode=disable',
    'postgres://vigencia@/vigencia?host=/var/run/postgresql',
    'postgresql:///vigencia?host=/var/run/postgresql',
    'postgres://a:b%40c@db.example:6432/vigencia',
  ]) {
    expect(read({ DATABASE_URL: address, MASTER_KEY: key, ENVIRONMENT: 'staging' }).databaseUrl).toBe(address)
  }
})

test('a secret may come from the file that NAME_FILE names, without its last line break', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-config-'))
  try {
    const path = join(folder, 'key')
    writeFileSync(path, `${key}\n`)
    expect(read({ MASTER_KEY_FILE: path }).masterKey).toEqual(Buffer.from(key, 'base64'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
