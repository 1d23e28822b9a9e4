import { readFileSync } from 'node:fs'
import { StartError } from './errors.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { isLocalDate } from '../domain/calendar.ts'
import { trimEnd } from './trim-end.ts'

export interface Config {
  readonly port: number
  /** Whether a port was asked for: a process that is a worker only then listens at all. */
  readonly portGiven: boolean
  readonly host: string
  /** Without a trailing slash; null: `http://HOST:PORT`. */
  readonly publicUrl: string | null
  readonly environment: 'staging' | 'production'
  readonly role: 'all' | 'api' | 'worker'
  /** null: the embedded engine in `dataDir`. */
  readonly databaseUrl: string | null
  readonly databaseConnections: number
  readonly namedStatements: boolean
  readonly dataDir: string
  readonly storageUrl: string | null
  readonly demo: boolean
  /** 32 bytes; null only on the embedded engine outside production, where one is made in `dataDir`. */
  readonly masterKey: Buffer | null
  readonly operatorClientId: string | null
  readonly operatorClientSecret: string | null
  readonly rateLimits: string
  readonly logLevel: string
  /** Where spans are sent by OTLP over HTTP; null: none are made. */
  readonly tracesUrl: string | null
  readonly webhookAllowPrivate: boolean
  /** Endpoints that one client may have. */
  readonly webhookEndpoints: number
  readonly businessDate: string | null
  /** Not read from the environment. */
  readonly limits: Limits
}

export interface Setting {
  readonly name: string
  readonly default: string
  readonly meaning: string
  /** May also come from the file that `NAME_FILE` names. */
  readonly secret?: true
}

/** Every variable that the program reads, without the prefix `VIGENCIA_`. docs/configuration.md is made from it. */
export const settings: readonly Setting[] = [
  {
    name: 'PORT',
    default: '3000',
    meaning:
      'TCP port of the service; 0 takes a free one. A `worker` listens only when it is set, for `/healthz`, `/readyz` and `/metrics`.',
  },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` opens the service to the network: put TLS in front.',
  },
  {
    name: 'PUBLIC_URL',
    default: '`http://HOST:PORT`',
    meaning:
      'Address under which callers reach the service; links in answers and in OpenAPI begin with it. Required in production.',
  },
  {
    name: 'ENVIRONMENT',
    default: '`staging` on the embedded engine; required with `DATABASE_URL`',
    meaning:
      '`staging` or `production`. Bound into every token. `resolution`, `BUSINESS_DATE` and demo data exist only in staging.',
  },
  {
    name: 'ROLE',
    default: 'all',
    meaning: '`api` answers HTTP, `worker` carries movements on and moves the clock, `all` does both.',
  },
  {
    name: 'DATABASE_URL',
    default: 'embedded',
    meaning: '`postgres://` address of PostgreSQL 15 or later. Absent: a PostgreSQL of its own in `DATA_DIR`.',
    secret: true,
  },
  {
    name: 'DATABASE_CONNECTIONS',
    default: '4',
    meaning:
      'Connections that each process keeps for statements (2 to 100). A worker takes one more to be woken, and a process that serves calls with an `Idempotency-Key` another.',
  },
  {
    name: 'NAMED_STATEMENTS',
    default: 'on',
    meaning: '`off` behind a PgBouncer in transaction mode that does not know prepared statements.',
  },
  {
    name: 'DATA_DIR',
    default: '.data',
    meaning: 'Folder of the embedded engine, the master key made at first start, and files.',
  },
  {
    name: 'STORAGE_URL',
    default: '`DATA_DIR/files`',
    meaning:
      "Where uploaded files go: `file:///FOLDER`, or an S3-compatible store as `s3://KEY:SECRET@HOST:PORT/BUCKET/PREFIX?region=us-east-1&protocol=https`, percent-encoded; without KEY and SECRET the machine's own credentials. Processes on several machines need one that all of them reach. Changing it does not move the files.",
    secret: true,
  },
  {
    name: 'DEMO',
    default: '`true` on the embedded engine in staging, else `false`',
    meaning: 'Makes the demo company, a partner and an operator at start. Refused in production.',
  },
  {
    name: 'MASTER_KEY',
    default: 'made in `DATA_DIR/master.key`',
    meaning:
      '32 bytes in base64. Encrypts signing keys, the member-id key, webhook secrets, kept answers and backups. Required in production and with `DATABASE_URL`; changing it makes them unreadable and every client’s secret wrong.',
    secret: true,
  },
  {
    name: 'OPERATOR_CLIENT_ID',
    default: 'none',
    meaning: 'Client id of an `admin` operator made at first start. Goes with `OPERATOR_CLIENT_SECRET`.',
  },
  {
    name: 'OPERATOR_CLIENT_SECRET',
    default: 'none',
    meaning: 'Its secret; 16 characters or more in production.',
    secret: true,
  },
  {
    name: 'RATE_LIMITS',
    default: '600/120/20',
    meaning:
      'Calls a minute of each partner client, as reads/writes/authenticate, counted over all processes; `off` for none. `off` also ends the limits on answers that tell whether a CPF exists and on redeliveries of webhook events, but not the slowing of guesses at a secret. Operators are not limited.',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.' },
  {
    name: 'TRACES_URL',
    default: 'none',
    meaning:
      'Where OpenTelemetry traces are sent by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`. Absent: none are made.',
    secret: true,
  },
  {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'false',
    meaning:
      'Staging only: webhooks may go to addresses that are not public, such as a receiver on `localhost`; never to link-local addresses or metadata services. Not where strangers make endpoints.',
  },
  {
    name: 'WEBHOOK_ENDPOINTS',
    default: '20',
    meaning: 'Webhook endpoints that one client may have (1 to 1000). Each one costs a delivery of every event.',
  },
  {
    name: 'BUSINESS_DATE',
    default: 'today in Sao Paulo',
    meaning: 'Staging only: pins "today" (YYYY-MM-DD) for rehearsals.',
  },
  {
    name: 'PROFILE',
    default: 'none',
    meaning:
      'Commands that speak to a running service: the stored profile to use without `--profile`. Read by no service.',
  },
]

const prefix = 'VIGENCIA_'

/**
 * The configuration of a process that serves.
 * @throws StartError with one sentence: what is wrong or missing, and what to set.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values = readVariables(environment)
  const config = configOf(values)
  refuse(config, values.has('ENVIRONMENT'))
  return config
}

/**
 * The same for a command that serves nobody: each value must be readable, and none is required. What a command needs of them, such as
 * the master key, it asks for itself.
 * @throws StartError for a value that cannot be read and for a variable that is no setting.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Config {
  return configOf(readVariables(environment))
}

function configOf(values: ReadonlyMap<string, string>): Config {
  const text = (name: string): string | null => values.get(name) ?? null
  const config: Config = {
    port: integer('PORT', text('PORT'), 3000, 0, 65_535),
    portGiven: text('PORT') !== null,
    host: text('HOST') ?? '127.0.0.1',
    publicUrl: trimEnd(url('PUBLIC_URL', text('PUBLIC_URL'), ['http:', 'https:']) ?? '', '/') || null,
    environment: oneOf('ENVIRONMENT', text('ENVIRONMENT'), ['staging', 'production'] as const, 'staging'),
    role: oneOf('ROLE', text('ROLE'), ['all', 'api', 'worker'] as const, 'all'),
    databaseUrl: url('DATABASE_URL', text('DATABASE_URL'), ['postgres:', 'postgresql:']),
    databaseConnections: integer('DATABASE_CONNECTIONS', text('DATABASE_CONNECTIONS'), 4, 2, 100),
    namedStatements: oneOf('NAMED_STATEMENTS', text('NAMED_STATEMENTS'), ['on', 'off'] as const, 'on') === 'on',
    dataDir: text('DATA_DIR') ?? '.data',
    storageUrl: text('STORAGE_URL'),
    demo: false,
    masterKey: masterKey(text('MASTER_KEY')),
    operatorClientId: text('OPERATOR_CLIENT_ID'),
    operatorClientSecret: text('OPERATOR_CLIENT_SECRET'),
    rateLimits: rateLimits(text('RATE_LIMITS')),
    logLevel: oneOf(
      'LOG_LEVEL',
      text('LOG_LEVEL'),
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const,
      'info',
    ),
    tracesUrl: url('TRACES_URL', text('TRACES_URL'), ['http:', 'https:']),
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', text('WEBHOOK_ALLOW_PRIVATE'), false),
    webhookEndpoints: integer('WEBHOOK_ENDPOINTS', text('WEBHOOK_ENDPOINTS'), 20, 1, 1_000),
    businessDate: text('BUSINESS_DATE'),
    limits: defaultLimits,
  }
  return {
    ...config,
    demo: flag('DEMO', text('DEMO'), config.environment === 'staging' && config.databaseUrl === null),
  }
}

/** What must not start, each with the sentence that says what to set. */
function refuse(config: Config, environmentGiven: boolean): void {
  const production = config.environment === 'production'
  if ((config.operatorClientId === null) !== (config.operatorClientSecret === null)) {
    throw new StartError('Set VIGENCIA_OPERATOR_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together, or neither.')
  }
  if (config.operatorClientId !== null && !/^[\x21-\x7e]{1,100}$/.test(config.operatorClientId)) {
    throw new StartError('VIGENCIA_OPERATOR_CLIENT_ID must be 1 to 100 printable characters without spaces.')
  }
  if ((config.operatorClientSecret?.length ?? 0) > 1_000) {
    throw new StartError('VIGENCIA_OPERATOR_CLIENT_SECRET must not be longer than 1,000 characters.')
  }
  if (config.businessDate !== null && !isLocalDate(config.businessDate)) {
    throw new StartError('VIGENCIA_BUSINESS_DATE must be a date, YYYY-MM-DD.')
  }
  if (config.databaseUrl !== null && config.masterKey === null) {
    throw new StartError(`VIGENCIA_MASTER_KEY is required with VIGENCIA_DATABASE_URL: ${howToMakeAKey}`)
  }
  if (config.databaseUrl !== null && !environmentGiven) {
    throw new StartError(
      'VIGENCIA_ENVIRONMENT is required with VIGENCIA_DATABASE_URL: set it to production, or to staging, where partners may approve ' +
        'their own movements (resolution=approve).',
    )
  }
  if (!production) return
  if (config.masterKey === null) throw new StartError(`Production needs VIGENCIA_MASTER_KEY: ${howToMakeAKey}`)
  if (config.publicUrl === null) {
    throw new StartError(
      'Production needs VIGENCIA_PUBLIC_URL: set it to the address that callers use, such as https://benefits.example.com.',
    )
  }
  if (config.demo) throw new StartError('Production refuses demo data: unset VIGENCIA_DEMO or set it to false.')
  if (config.businessDate !== null)
    throw new StartError('Production refuses a pinned day: unset VIGENCIA_BUSINESS_DATE.')
  if (config.webhookAllowPrivate) throw new StartError('Production refuses VIGENCIA_WEBHOOK_ALLOW_PRIVATE: unset it.')
  if (isDefaultSecret(config.operatorClientSecret)) {
    throw new StartError(
      'VIGENCIA_OPERATOR_CLIENT_SECRET is a default or too short a secret: set one of your own of 16 characters or more.',
    )
  }
  if (new Set(config.masterKey).size < 8) {
    throw new StartError(`VIGENCIA_MASTER_KEY is a default key: ${howToMakeAKey}`)
  }
}

const howToMakeAKey = 'set it to 32 random bytes in base64, as `openssl rand -base64 32` prints them.'

function isDefaultSecret(secret: string | null): boolean {
  if (secret === null) return false
  return secret.length < 16 || /change-?me|default|example|secret-?secret|password|^(.)\1*$/i.test(secret)
}

/** The values that are set, by name without the prefix. @throws StartError for a variable that is no setting. */
export function readVariables(environment: NodeJS.ProcessEnv): Map<string, string> {
  const known = new Map(settings.map((setting) => [setting.name, setting]))
  const values = new Map<string, string>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || value === undefined) continue
    const name = variable.slice(prefix.length)
    const fileOf = name.endsWith('_FILE') ? known.get(name.slice(0, -5)) : undefined
    if (fileOf?.secret) {
      if (value === '') continue
      if (environment[prefix + fileOf.name])
        throw new StartError(`Set ${prefix}${fileOf.name} or ${variable}, not both.`)
      values.set(fileOf.name, readSecretFile(variable, value))
    } else if (!known.has(name)) {
      throw new StartError(`${variable} is not a setting of this service. Those it knows are in docs/configuration.md.`)
    } else if (value !== '') {
      values.set(name, value)
    }
  }
  return values
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new StartError(`${variable} names a file that cannot be read.`)
  }
}

function integer(name: string, value: string | null, fallback: number, min: number, max: number): number {
  if (value === null) return fallback
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    throw new StartError(`${prefix}${name} must be a whole number from ${min} to ${max}.`)
  return number
}

function oneOf<T extends string>(name: string, value: string | null, allowed: readonly T[], fallback: T): T {
  if (value === null) return fallback
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new StartError(`${prefix}${name} must be one of ${allowed.join(', ')}.`)
  return found
}

function flag(name: string, value: string | null, fallback: boolean): boolean {
  return oneOf(name, value, ['true', 'false'] as const, fallback ? 'true' : 'false') === 'true'
}

function url(name: string, value: string | null, protocols: readonly string[]): string | null {
  if (value === null) return null
  if (!protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
    throw new StartError(
      `${prefix}${name} must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
    )
  }
  // pg takes an address without a host, for a socket's folder in ?host=.
  if (!URL.canParse(value.replace('@/', '@localhost/').replace(':///', '://localhost/'))) {
    throw new StartError(
      `${prefix}${name} is no address that can be read; special characters in a user or password are written %40 and so on.`,
    )
  }
  return value
}

function masterKey(value: string | null): Buffer | null {
  if (value === null) return null
  const key = Buffer.from(value, 'base64')
  if (key.length !== 32) throw new StartError(`${prefix}MASTER_KEY must be 32 bytes in base64: ${howToMakeAKey}`)
  return key
}

function rateLimits(value: string | null): string {
  if (value === null) return '600/120/20'
  if (value === 'off' || /^\d{1,6}\/\d{1,6}\/\d{1,6}$/.test(value)) return value
  throw new StartError(`${prefix}RATE_LIMITS must be off, or reads/writes/authenticate a minute such as 600/120/20.`)
}
