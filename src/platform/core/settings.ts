import { availableParallelism } from 'node:os'
import { StartError } from './errors.ts'
import {
  databaseUrl,
  flag,
  emailAddress,
  integer,
  localDate,
  masterKey,
  networks,
  oneOf,
  operatorClientId,
  operatorClientSecret,
  rateLimits,
  hours,
  retention,
  text,
  url,
  type Parser,
} from './setting-parsers.ts'
import { trimEnd } from './trim-end.ts'

/** Prefix of every environment variable of this program. */
export const prefix = 'VIGENCIA_'

/** One environment variable: `T` is the type of its value, null included where it has no default. */
export interface Setting<T = unknown> {
  /** Without the prefix. */
  readonly name: string
  readonly group:
    | 'HTTP'
    | 'Process'
    | 'Database'
    | 'Files'
    | 'Security'
    | 'Webhooks'
    | 'Mail'
    | 'Observability'
    | 'Command line'
  /** As it would be written in the environment; null: no value when it is not set. */
  readonly default: string | null
  /** What happens when it is not set, in Markdown; needed where `default` does not say it. */
  readonly absent: string
  /** May also come from the file that `NAME_FILE` names; never shown. */
  readonly secret: boolean
  readonly description: string
  /** @throws StartError for text that is not a value of this setting. */
  readonly parse: (text: string) => T
}

type Declaration = Pick<Setting, 'name' | 'group' | 'description'> & { absent?: string; secret?: true }

/** A setting that has a value even when it is not set. */
function required<T>(parser: Parser<T>, preset: string, declaration: Declaration): Setting<T> {
  return { ...optional(parser, { absent: `\`${preset}\``, ...declaration }), default: preset } as Setting<T>
}

/** A setting whose value is null when it is not set. */
function optional<T>(parser: Parser<T>, declaration: Declaration): Setting<T | null> {
  const parse = (text: string) => parser(text, prefix + declaration.name)
  return { absent: 'none', ...declaration, default: null, secret: declaration.secret ?? false, parse }
}

/** Every setting of the program by its field in the configuration. docs/reference/configuration.md and `vigencia config` are made from it. */
export const settings = {
  port: required(integer(0, 65_535), '3000', {
    name: 'PORT',
    group: 'HTTP',
    description:
      'TCP port of the service; 0 takes a free one. A `worker` listens only when it is set, for `/healthz`, `/readyz` and `/metrics`.',
  }),
  host: required(text, '127.0.0.1', {
    name: 'HOST',
    group: 'HTTP',
    description: 'Address to listen on. `0.0.0.0` opens the service to the network: put TLS in front.',
  }),
  publicUrl: optional((value, variable) => trimEnd(url('http:', 'https:')(value, variable), '/'), {
    name: 'PUBLIC_URL',
    group: 'HTTP',
    absent: '`http://HOST:PORT`',
    description:
      'Address at which clients reach the service; links in responses and in OpenAPI begin with it. Required in production.',
  }),
  trustedProxies: optional(networks, {
    name: 'TRUSTED_PROXIES',
    group: 'HTTP',
    description:
      'Addresses and CIDRs of the proxies in front, separated by commas, such as `10.0.0.0/8,2001:db8::7`. The client is then the last entry of `X-Forwarded-For` that is none of them, for limits before authentication, failed authentications and the audit. Without it the header is not read.',
  }),
  rateLimits: required(rateLimits, '600/120/20', {
    name: 'RATE_LIMITS',
    group: 'HTTP',
    description:
      'Calls a minute of each partner client, as reads/writes/authenticate, counted over all processes; `off` for none. `off` also removes the limits on responses that disclose whether a CPF exists and on redeliveries of webhook events, but not the delays of wrong secrets. Operators are not limited.',
  }),
  environment: required(oneOf('staging', 'production'), 'staging', {
    name: 'ENVIRONMENT',
    group: 'Process',
    absent: '`staging` on the embedded engine; required with `DATABASE_URL`',
    description:
      '`staging` or `production`. Bound into every token. `resolution`, `BUSINESS_DATE` and demo data exist only in staging.',
  }),
  role: required(oneOf('all', 'api', 'worker'), 'all', {
    name: 'ROLE',
    group: 'Process',
    description: '`api` serves HTTP, `worker` processes requests and scheduled work, `all` does both.',
  }),
  demo: optional(flag('true', 'false'), {
    name: 'DEMO',
    group: 'Process',
    absent: '`true` on the embedded engine in staging, else `false`',
    description: 'Makes the demo company, a partner and an operator at start. Refused in production.',
  }),
  businessDate: optional(localDate, {
    name: 'BUSINESS_DATE',
    group: 'Process',
    absent: 'today in Sao Paulo',
    description: 'Staging only: sets "today" (YYYY-MM-DD) to a fixed day for rehearsals.',
  }),
  undoSeconds: required(integer(0, 60), '10', {
    name: 'UNDO_SECONDS',
    group: 'Process',
    description:
      'Seconds for which decisions of the console wait, so that they can be undone (0 to 60). `0`: they are made at once. Decisions of programs never wait.',
  }),
  secondPersonExclusions: optional(integer(0, 10_000), {
    name: 'SECOND_PERSON_EXCLUSIONS',
    group: 'Process',
    absent: 'one operator suffices',
    description:
      'An operator who excludes more people than this at once makes a draft, which another `analyst` or `admin` has to confirm.',
  }),
  deadlineEventDays: required(integer(0, 60), '7', {
    name: 'DEADLINE_EVENT_DAYS',
    group: 'Process',
    description: 'How many days before a deadline of a movement `deadline.approaching` is sent.',
  }),
  retention: required(retention, '', {
    name: 'RETENTION',
    group: 'Process',
    absent: 'the periods of each class',
    description:
      'Days for which data are kept, by class, such as `refused-document=90,benefit=3652`; `off` keeps them without an end. See the periods of retention.',
  }),
  retentionHours: required(hours, '1-5', {
    name: 'RETENTION_HOURS',
    group: 'Process',
    description:
      'Between which hours in Sao Paulo the service deletes what was kept for long enough. `off`: only `vigencia retention run` deletes it.',
  }),
  databaseUrl: optional(databaseUrl, {
    name: 'DATABASE_URL',
    group: 'Database',
    absent: 'embedded',
    secret: true,
    description:
      '`postgres://` address of PostgreSQL 15 or later. Without it the program runs a PostgreSQL in `DATA_DIR`. A primary and its standbys: `postgres://user@host1:5432,host2:5432/db?target_session_attrs=read-write` (or `primary`) uses the first of them that accepts writes (is not in recovery), and finds the other one after a failover.',
  }),
  databaseConnections: required(integer(2, 100), String(Math.min(100, 4 * availableParallelism())), {
    name: 'DATABASE_CONNECTIONS',
    group: 'Database',
    absent: '4 for each core',
    description:
      'Connections that each process keeps for statements (2 to 100). With lists, exports, imports and what it needs for itself it opens at most 15 more: see [run in production](../how-to/run-in-production.md#connections).',
  }),
  namedStatements: required(flag('on', 'off'), 'on', {
    name: 'NAMED_STATEMENTS',
    group: 'Database',
    description: '`off` behind a PgBouncer in transaction mode that does not support prepared statements.',
  }),
  dataDir: required(text, '.data', {
    name: 'DATA_DIR',
    group: 'Files',
    description: 'Folder of the embedded engine, the master key made at first start, and files.',
  }),
  storageUrl: optional(text, {
    name: 'STORAGE_URL',
    group: 'Files',
    absent: '`DATA_DIR/files`',
    secret: true,
    description:
      "Where uploaded files are stored: `file:///FOLDER`, or an S3-compatible store as `s3://KEY:SECRET@HOST:PORT/BUCKET/PREFIX?region=us-east-1&protocol=https`, percent-encoded; without KEY and SECRET the machine's own credentials. Processes on several machines need one that all of them reach. Changing it does not move the files.",
  }),
  masterKey: optional(masterKey, {
    name: 'MASTER_KEY',
    group: 'Security',
    absent: 'made in `DATA_DIR/master.key`',
    secret: true,
    description:
      '32 bytes in base64. Encrypts signing keys, the member-id key, webhook secrets and stored responses. Required in production and with `DATABASE_URL`. After a change none of them can be decrypted and no client secret is valid.',
  }),
  operatorClientId: optional(operatorClientId, {
    name: 'OPERATOR_CLIENT_ID',
    group: 'Security',
    description: 'Client id of an `admin` operator made at first start. Set together with `OPERATOR_CLIENT_SECRET`.',
  }),
  operatorClientSecret: optional(operatorClientSecret, {
    name: 'OPERATOR_CLIENT_SECRET',
    group: 'Security',
    secret: true,
    description: 'Its secret; 16 characters or more in production.',
  }),
  sessionIdleMinutes: required(integer(5, 720), '30', {
    name: 'SESSION_IDLE_MINUTES',
    group: 'Security',
    description: 'Minutes without a call after which the session of an operator in a browser expires (5 to 720).',
  }),
  sessionHours: required(integer(1, 168), '12', {
    name: 'SESSION_HOURS',
    group: 'Security',
    description: 'Hours after which it expires, whatever its use (1 to 168).',
  }),
  oidcIssuer: optional(url('https:', 'http:'), {
    name: 'OIDC_ISSUER',
    group: 'Security',
    description:
      'Issuer of an OpenID Connect provider where operators sign in to the console, such as `https://login.example.com`. Set it together with `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. It must be https; outside production also http on a loopback address.',
  }),
  oidcClientId: optional(text, {
    name: 'OIDC_CLIENT_ID',
    group: 'Security',
    description:
      'Id of this service at the provider. Its redirect URI there is `PUBLIC_URL/operator/v1/session/callback`.',
  }),
  oidcClientSecret: optional(text, {
    name: 'OIDC_CLIENT_SECRET',
    group: 'Security',
    secret: true,
    description: 'Its secret there.',
  }),
  oidcRoleClaim: required(text, 'roles', {
    name: 'OIDC_ROLE_CLAIM',
    group: 'Security',
    description:
      'Claim of the ID token with the roles of a person, a text or a list: `admin`, `analyst`, `finance` or `auditor`; of several, the first of these.',
  }),
  oidcRolePrefix: optional(text, {
    name: 'OIDC_ROLE_PREFIX',
    group: 'Security',
    description: 'What precedes them in the claim: with `vigencia-` the role `admin` is `vigencia-admin`.',
  }),
  oidcName: optional(text, {
    name: 'OIDC_NAME',
    group: 'Security',
    absent: 'the host of the issuer',
    description: 'Name of the provider on the button of the sign-in page.',
  }),
  onboarding: required(flag('on', 'off'), 'off', {
    name: 'ONBOARDING',
    group: 'Security',
    description:
      '`on` lets the HR of companies send links with which employees fill in their own data, on a page without an account (`/onboarding`). While it is off, its operations and its page are 404.',
  }),
  webhookAllowPrivate: required(flag('true', 'false'), 'false', {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    group: 'Webhooks',
    description:
      'Staging only: webhooks may be sent to addresses that are not public, such as a receiver on `localhost`; never to link-local addresses or metadata services. Do not set it where untrusted clients create endpoints.',
  }),
  webhookEndpoints: required(integer(1, 1_000), '20', {
    name: 'WEBHOOK_ENDPOINTS',
    group: 'Webhooks',
    description: 'Webhook endpoints that one client may have (1 to 1000). Each one receives a delivery of every event.',
  }),
  smtpUrl: optional(url('smtp:', 'smtps:'), {
    name: 'SMTP_URL',
    group: 'Mail',
    absent: 'no e-mail is sent',
    secret: true,
    description:
      'Your SMTP server: `smtp://USER:PASSWORD@HOST:587` for STARTTLS, `smtps://USER:PASSWORD@HOST:465` for TLS from the start, percent-encoded; without USER and PASSWORD it does not sign in. Set it together with `MAIL_FROM` and `PUBLIC_URL`.',
  }),
  smtpTls: required(oneOf('required', 'optional'), 'required', {
    name: 'SMTP_TLS',
    group: 'Mail',
    description:
      '`optional` also sends without TLS when the server has none, and does not check its certificate: for a relay on the same machine or network.',
  }),
  mailFrom: optional(emailAddress, {
    name: 'MAIL_FROM',
    group: 'Mail',
    description: 'Address that e-mails come from, such as `benefits@broker.example`. Bounces go there.',
  }),
  logLevel: required(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'), 'info', {
    name: 'LOG_LEVEL',
    group: 'Observability',
    description: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.',
  }),
  logFormat: optional(oneOf('json', 'text'), {
    name: 'LOG_FORMAT',
    group: 'Observability',
    absent: '`text` on a terminal, else `json`',
    description: 'Log lines on standard error: `json`, one object a line, or `text`, short lines for people.',
  }),
  tracesUrl: optional(url('http:', 'https:'), {
    name: 'TRACES_URL',
    group: 'Observability',
    secret: true,
    description:
      'Where OpenTelemetry traces are sent by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`. Without it no spans are made.',
  }),
  url: optional(url('http:', 'https:'), {
    name: 'URL',
    group: 'Command line',
    description:
      'Commands that call a running service: its address. With `CLIENT_ID` and `CLIENT_SECRET` it goes before stored profiles, not before `--profile`; set all three or none. The service does not read them.',
  }),
  clientId: optional(text, { name: 'CLIENT_ID', group: 'Command line', description: 'The client to call it as.' }),
  clientSecret: optional(text, {
    name: 'CLIENT_SECRET',
    group: 'Command line',
    secret: true,
    description: 'Its secret.',
  }),
  profile: optional(text, {
    name: 'PROFILE',
    group: 'Command line',
    description:
      'Commands that call a running service: the stored profile to use without `--profile`. The service does not read it.',
  }),
} satisfies Record<string, Setting>

/** The value of each setting by its field. */
export type Values = { readonly [Field in keyof typeof settings]: ReturnType<(typeof settings)[Field]['parse']> }

/**
 * The values that the given texts stand for, by name without the prefix; as if it were not set for a text that cannot be read.
 * @param problems gets a sentence for each of those, with the text unless it is secret.
 */
export function parseSettings(texts: ReadonlyMap<string, string>, problems: string[]): Values {
  const valueOf = (setting: Setting) => {
    const text = texts.get(setting.name) ?? null
    try {
      if (text !== null) return setting.parse(text)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      problems.push(`${error.message}${setting.secret ? '' : ` It is ${JSON.stringify(text?.slice(0, 100))}.`}`)
    }
    return setting.default === null ? null : setting.parse(setting.default)
  }
  return Object.fromEntries(Object.entries(settings).map(([field, setting]) => [field, valueOf(setting)])) as Values
}
