import { readFileSync } from 'node:fs'
import { StartError } from './errors.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { howToMakeAKey, parseSettings, prefix, settings, type Setting, type Values } from './settings.ts'

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
 * @throws StartError with one sentence: what is wrong or missing, and what to set.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const texts = readVariables(environment)
  const config = configOf(texts)
  refuse(config, texts.has(settings.environment.name))
  return config
}

/**
 * The configuration of a command that does not serve: each value that is set must be readable, and none is required.
 * @throws StartError for a value that cannot be read and for a variable that is no setting.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Config {
  return configOf(readVariables(environment))
}

function configOf(texts: ReadonlyMap<string, string>): Config {
  const values = parseSettings(texts)
  return {
    ...values,
    demo: values.demo ?? (values.environment === 'staging' && values.databaseUrl === null),
    portGiven: texts.has(settings.port.name),
    limits: defaultLimits,
  }
}

/** The configurations that must not start. */
function refuse(config: Config, environmentGiven: boolean): void {
  if ((config.operatorClientId === null) !== (config.operatorClientSecret === null)) {
    throw new StartError('Set VIGENCIA_OPERATOR_CLIENT_ID and VIGENCIA_OPERATOR_CLIENT_SECRET together, or neither.')
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
  if (config.environment === 'production') refuseInProduction(config)
}

function refuseInProduction(config: Config): void {
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

function isDefaultSecret(secret: string | null): boolean {
  if (secret === null) return false
  const isOneCharacter = new Set(secret).size === 1
  return secret.length < 16 || isOneCharacter || /change-?me|default|example|secret-?secret|password/i.test(secret)
}

/**
 * The texts that are set, by name without the prefix. An empty one counts as not set.
 * @throws StartError for a variable that is no setting, and for a file of a secret that cannot be read.
 */
export function readVariables(environment: NodeJS.ProcessEnv): Map<string, string> {
  const known = new Map<string, Setting>(Object.values(settings).map((setting) => [setting.name, setting]))
  const texts = new Map<string, string>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || value === undefined) continue
    const name = variable.slice(prefix.length)
    const secret = name.endsWith('_FILE') ? known.get(name.slice(0, -'_FILE'.length)) : undefined
    if (secret?.secret) {
      if (value === '') continue
      if (environment[prefix + secret.name])
        throw new StartError(`Set ${prefix}${secret.name} or ${variable}, not both.`)
      texts.set(secret.name, readSecretFile(variable, value))
    } else if (!known.has(name)) {
      throw new StartError(`${variable} is not a setting of this service. Those it knows are in docs/configuration.md.`)
    } else if (value !== '') {
      texts.set(name, value)
    }
  }
  return texts
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new StartError(`${variable} names a file that cannot be read.`)
  }
}
