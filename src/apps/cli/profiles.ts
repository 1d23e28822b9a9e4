import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { demoProfilePath, replacePrivateFile } from '../demo/profile.ts'
import type { Api } from '#platform/http/caller.ts'
import { readVariables } from '#platform/core/config.ts'
import { settings } from '#platform/core/settings.ts'
import { trimEnd } from '#platform/core/trim-end.ts'
import { CommandError, fileError } from './errors.ts'
import { say } from './language.ts'
import { printMessage } from './terminal.ts'

export interface Credentials {
  readonly url: string
  readonly 'client-id': string
  readonly 'client-secret': string
}

/** The credentials for one service: at most one client for each API. */
type Profile = Partial<Record<Api, Credentials>>

/** What the commands that call a service read from the environment. */
interface ProfileSettings {
  /** `VIGENCIA_PROFILE`. */
  readonly profile: string | undefined
  readonly url: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly dataDir: string
  /** The file of the profiles. */
  readonly path: string
}

/** Reads only what such a command needs. @throws StartError for a variable that is no setting. */
function readProfileSettings(): ProfileSettings {
  const texts = readVariables(process.env)
  const { XDG_CONFIG_HOME, HOME } = process.env
  // The XDG Base Directory Specification has relative paths ignored.
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config')
  const url = texts.get(settings.url.name)
  if (url !== undefined) settings.url.parse(url)
  return {
    profile: texts.get(settings.profile.name),
    url,
    clientId: texts.get(settings.clientId.name),
    clientSecret: texts.get(settings.clientSecret.name),
    dataDir: texts.get(settings.dataDir.name) ?? settings.dataDir.default ?? '',
    path: join(base, 'vigencia', 'profiles.json'),
  }
}

export const defaultProfile = 'default'

/** The stored profiles by name. @throws CommandError when the file cannot be read, or others can read it. */
export function readProfiles({ path } = readProfileSettings()): Record<string, Profile> {
  const text = readPrivate(path)
  if (text === null) return {}
  const { profiles } = parseJson<{ profiles?: unknown }>(text) ?? {}
  if (typeof profiles === 'object' && profiles !== null) return profiles as Record<string, Profile>
  const next = say`Move it away and sign in again: vigencia login`
  throw new CommandError('usage', say`${path} is no file of profiles.`, next)
}

function parseJson<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value | null
  } catch {
    return null
  }
}

/** Stores the profiles, readable to this user only. Replaces the file atomically. @returns its path. */
export function writeProfiles(profiles: Record<string, Profile>): string {
  const { path } = readProfileSettings()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replacePrivateFile(path, { profiles })
  return path
}

/** The text of a file of secrets; null when there is none. @throws CommandError when others may read it. */
function readPrivate(path: string): string | null {
  try {
    if ((statSync(path).mode & 0o077) === 0) return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileError(path, 'read', error)
  }
  throw new CommandError('usage', say`${path} holds secrets, and others may read it.`, `chmod 600 ${path}`)
}

/** What a command calls the service with; `api` is null when only a token tells it. */
interface Found {
  readonly api: Api | null
  readonly credentials: Credentials
}

/**
 * The credentials of the profile of `--profile`, else of `VIGENCIA_URL`, `VIGENCIA_CLIENT_ID` and `VIGENCIA_CLIENT_SECRET`, else of
 * the profile of `VIGENCIA_PROFILE`, else of the default one, else of the demo that runs on the data folder.
 * @throws CommandError when there are none, with what to do.
 */
export function findCredentials(choice: ApiChoice, named: string | undefined): Found {
  const options = readProfileSettings()
  const { dataDir } = options
  if (named === undefined) {
    const credentials = credentialsOf(options)
    if (credentials !== null) return { api: choice === 'partner' || choice === 'operator' ? choice : null, credentials }
  }
  const name = named ?? options.profile
  const demo = () => pick(parseJson<Profile>(readPrivate(demoProfilePath(dataDir)) ?? 'null') ?? {}, choice)
  if (name === 'demo')
    return demo() ?? refuse(say`No demo runs on ${dataDir}.`, say`Start it in another terminal: npm start`)
  const profiles = new Map(Object.entries(readProfiles(options)))
  const found = pick(profiles.get(name ?? defaultProfile) ?? {}, choice)
  if (found !== null) return found
  const running = name === undefined ? demo() : null
  if (running !== null) {
    printMessage(say`Using the demo ${running.api} of ${dataDir}.`)
    return running
  }
  const what = choice === 'partner' || choice === 'operator' ? choice : 'client'
  const stored = [...profiles].filter(([, profile]) => pick(profile, choice) !== null).map(([name]) => name)
  const login = `vigencia login${name === undefined ? '' : ` --profile ${name}`}`
  return refuse(
    name === undefined
      ? say`No ${what} is signed in, and no demo runs on ${dataDir}.`
      : say`Profile ${name} has no ${what}.`,
    stored.length > 0
      ? say`Choose one with --profile: ${stored.join(', ')}. Or sign in: ${login}`
      : say`Sign in: ${login}. Or start the demo: npm start`,
  )
}

/** What commands without `--profile` may call a service with: where it is from, and at most one client for each API. */
export function configuredCredentials(): { readonly profile: string | null; readonly credentials: Credentials[] } {
  const options = readProfileSettings()
  const given = credentialsOf(options)
  if (given !== null) return { profile: null, credentials: [given] }
  const name = options.profile
  const stored =
    name === 'demo' ? undefined : new Map(Object.entries(readProfiles(options))).get(name ?? defaultProfile)
  if (stored !== undefined) return { profile: name ?? defaultProfile, credentials: Object.values(stored) }
  const demo = name === undefined || name === 'demo' ? readPrivate(demoProfilePath(options.dataDir)) : null
  return { profile: 'demo', credentials: Object.values(parseJson<Profile>(demo ?? 'null') ?? {}) }
}

/** Which client is used where a profile has both. An operator sees everything that a partner sees; a movement is that of the company's own client. */
const order = {
  either: ['operator', 'partner'],
  'partner-first': ['partner', 'operator'],
  partner: ['partner'],
  operator: ['operator'],
} as const satisfies Readonly<Record<string, readonly Api[]>>

/** The APIs that a command is of. */
export type ApiChoice = keyof typeof order

function pick(profile: Profile, choice: ApiChoice): { api: Api; credentials: Credentials } | null {
  for (const api of order[choice]) {
    const credentials = profile[api]
    if (credentials !== undefined) return { api, credentials }
  }
  return null
}

/** The address without a slash at its end. @throws CommandError for that of an API. */
export function serviceUrl(text: string): string {
  const url = trimEnd(text, '/')
  if (!url.endsWith('/v1')) return url
  throw new CommandError('usage', say`${text} is the address of an API.`, say`Use that of the service, without /v1.`)
}

/** Those of the environment; null when none is set. */
function credentialsOf({ url, clientId, clientSecret }: ProfileSettings): Credentials | null {
  const [some, ...others] = [url, clientId, clientSecret].filter((setting) => setting !== undefined)
  if (some === undefined) return null
  if (url !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { url: serviceUrl(url), 'client-id': clientId, 'client-secret': clientSecret }
  }
  const message = say`Only ${others.length + 1} of VIGENCIA_URL, VIGENCIA_CLIENT_ID and VIGENCIA_CLIENT_SECRET are set.`
  throw new CommandError('usage', message, say`Set all three, or none; --profile NAME uses a stored profile.`)
}

function refuse(message: string, next: string): never {
  throw new CommandError('credentials', message, next)
}
