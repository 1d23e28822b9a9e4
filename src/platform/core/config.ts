import { readFileSync } from 'node:fs'
import { nearest } from '#kernel/nearest.ts'
import { StartError } from './errors.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { howToMakeAKey } from './setting-parsers.ts'
import { parseSettings, prefix, settings, type Setting, type Values } from './settings.ts'

/** The values of the settings, and what follows from them. */
export interface Config extends Omit<Values, 'demo'> {
  readonly demo: boolean
  /** Whether `PORT` is set: a process that is only a worker listens only then. */
  readonly portGiven: boolean
  /** Not read from the environment. */
  readonly limits: Limits
}

/**
 * The configuration of a process that serves.
 * @throws StartError with a line for each problem: what is wrong or missing, and what to set.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const texts = collectTexts(environment, problems)
  const config = configOf(texts, problems)
  // Also a setting that cannot be read, which is another problem.
  const isSet = ({ name }: Setting) => texts.has(name) || Boolean(environment[`${prefix}${name}_FILE`])
  problems.push(...refusals(config, isSet))
  throwIfAny(problems)
  return config
}

/**
 * The configuration of a command that does not serve: each value that is set must be readable, and none is required.
 * @throws StartError with a line for each value that cannot be read and each variable that is no setting.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const config = configOf(collectTexts(environment, problems), problems)
  throwIfAny(problems)
  return config
}

function throwIfAny(problems: readonly string[]): void {
  if (problems.length > 0) throw new StartError(problems.join('\n'))
}

function configOf(texts: ReadonlyMap<string, string>, problems: string[]): Config {
  const values = parseSettings(texts, problems)
  return {
    ...values,
    demo: values.demo ?? (values.environment === 'staging' && values.databaseUrl === null),
    portGiven: texts.has(settings.port.name),
    limits: defaultLimits,
  }
}

/** Why a configuration must not start. */
function refusals(config: Config, isSet: (setting: Setting) => boolean): string[] {
  const { operatorClientId, operatorClientSecret, databaseUrl, masterKey, environment } = settings
  const found: string[] = []
  if (isSet(operatorClientId) !== isSet(operatorClientSecret)) {
    found.push('Set VIGENCIA_OPERATOR_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together, or neither.')
  }
  found.push(...refusedIdentityProvider(config, isSet))
  if (isSet(settings.smtpUrl) !== isSet(settings.mailFrom)) {
    found.push('Set VIGENCIA_SMTP_URL and VIGENCIA_MAIL_FROM together, or neither.')
  }
  if (isSet(settings.smtpUrl) && !isSet(settings.publicUrl)) {
    found.push('VIGENCIA_SMTP_URL needs VIGENCIA_PUBLIC_URL: the links in e-mails begin with it.')
  }
  const isProduction = config.environment === 'production'
  if (isSet(databaseUrl) && !isSet(masterKey) && !isProduction) {
    found.push(`VIGENCIA_MASTER_KEY is required with VIGENCIA_DATABASE_URL: ${howToMakeAKey}`)
  }
  if (isSet(databaseUrl) && !isSet(environment)) {
    found.push(
      'VIGENCIA_ENVIRONMENT is required with VIGENCIA_DATABASE_URL: set it to production, or to staging, where partners may approve ' +
        'their own movements (resolution=approve).',
    )
  }
  return isProduction ? [...found, ...refusalsInProduction(config, isSet)] : found
}

function refusedIdentityProvider({ environment, oidcIssuer }: Config, isSet: (setting: Setting) => boolean): string[] {
  const found: string[] = []
  const { oidcClientId, oidcClientSecret } = settings
  if (new Set([settings.oidcIssuer, oidcClientId, oidcClientSecret].map(isSet)).size > 1) {
    found.push('Set VIGENCIA_OIDC_ISSUER, VIGENCIA_OIDC_CLIENT_ID and VIGENCIA_OIDC_CLIENT_SECRET together, or none.')
  }
  if (oidcIssuer?.startsWith('http:') === true) {
    const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(oidcIssuer).hostname)
    if (!isLoopback || environment === 'production') {
      found.push('VIGENCIA_OIDC_ISSUER must begin with https://; outside production a loopback address may be http://.')
    }
  }
  return found
}

function refusalsInProduction(config: Config, isSet: (setting: Setting) => boolean): string[] {
  const found: string[] = []
  if (!isSet(settings.masterKey)) found.push(`Production needs VIGENCIA_MASTER_KEY: ${howToMakeAKey}`)
  if (!isSet(settings.publicUrl)) {
    found.push(
      'Production needs VIGENCIA_PUBLIC_URL: set it to the address that callers use, such as https://benefits.example.com.',
    )
  }
  if (config.demo) found.push('Production refuses demo data: unset VIGENCIA_DEMO or set it to false.')
  if (config.businessDate !== null) found.push('Production refuses a pinned day: unset VIGENCIA_BUSINESS_DATE.')
  if (config.webhookAllowPrivate) found.push('Production refuses VIGENCIA_WEBHOOK_ALLOW_PRIVATE: unset it.')
  if (isDefaultSecret(config.operatorClientSecret)) {
    found.push(
      'VIGENCIA_OPERATOR_CLIENT_SECRET is a default or too short a secret: set one of your own of 16 characters or more.',
    )
  }
  if (config.masterKey !== null && new Set(config.masterKey).size < 8) {
    found.push(`VIGENCIA_MASTER_KEY is a default key: ${howToMakeAKey}`)
  }
  return found
}

function isDefaultSecret(secret: string | null): boolean {
  if (secret === null) return false
  const isOneCharacter = new Set(secret).size === 1
  return secret.length < 16 || isOneCharacter || /change-?me|default|example|secret-?secret|password/i.test(secret)
}

const known = new Map<string, Setting>(Object.values(settings).map((setting) => [setting.name, setting]))

/** The variables that may be set, without the prefix. */
const names = [...known.values()].flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))

/**
 * The texts that are set, by name without the prefix. An empty one counts as not set.
 * @throws StartError for variables that are no setting, and for files of secrets that cannot be read.
 */
export function readVariables(environment: NodeJS.ProcessEnv): Map<string, string> {
  const problems: string[] = []
  const texts = collectTexts(environment, problems)
  throwIfAny(problems)
  return texts
}

function collectTexts(environment: NodeJS.ProcessEnv, problems: string[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || value === undefined) continue
    const name = variable.slice(prefix.length)
    if (!names.includes(name)) {
      const meant = nearest(name, names)
      const suggestion = meant === null ? '' : `Did you mean ${prefix}${meant}? `
      problems.push(
        `${variable} is not a setting of this service. ${suggestion}Those it knows are in docs/reference/configuration.md.`,
      )
    } else if (value !== '') {
      if (known.has(name)) texts.set(name, value)
      else readSecretFile(name.slice(0, -'_FILE'.length), value, environment, { texts, problems })
    }
  }
  return texts
}

function readSecretFile(
  name: string,
  path: string,
  environment: NodeJS.ProcessEnv,
  { texts, problems }: { readonly texts: Map<string, string>; readonly problems: string[] },
): void {
  const variable = `${prefix}${name}_FILE`
  if (environment[prefix + name]) {
    problems.push(`Set ${prefix}${name} or ${variable}, not both.`)
    return
  }
  try {
    texts.set(name, readFileSync(path, 'utf8').trim())
  } catch {
    problems.push(`${variable} names a file that cannot be read.`)
  }
}
