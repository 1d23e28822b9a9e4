import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { demoProfilePath, replacePrivateFile } from '../demo/profile.ts'
import type { Api } from '../http/caller.ts'
import { readVariables } from '../platform/config.ts'
import { settings } from '../platform/settings.ts'
import { CommandError, fileError } from './errors.ts'
import { printMessage } from './terminal.ts'

export interface Credentials {
  readonly url: string
  readonly 'client-id': string
  readonly 'client-secret': string
}

/** The credentials for one service: at most one client for each API. */
export type Profile = Partial<Record<Api, Credentials>>

/** What the commands that call a service read from the environment. */
interface ProfileSettings {
  /** `VIGENCIA_PROFILE`. */
  readonly profile: string | undefined
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
  return {
    profile: texts.get(settings.profile.name),
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
  const next = 'Move it away and sign in again: vigencia login'
  throw new CommandError('usage', `${path} is no file of profiles.`, next)
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
  throw new CommandError('usage', `${path} holds secrets, and others may read it.`, `chmod 600 ${path}`)
}

/**
 * The credentials of the named profile, else of the default one, else of the demo that runs on the data folder.
 * @throws CommandError when there are none, with what to do.
 */
export function findCredentials(api: Api, named: string | undefined): Credentials {
  const options = readProfileSettings()
  const { dataDir } = options
  const name = named ?? options.profile
  const demo = () => parseJson<Profile>(readPrivate(demoProfilePath(dataDir)) ?? 'null')?.[api]
  if (name === 'demo') return demo() ?? refuse(`No demo runs on ${dataDir}.`, 'Start it in another terminal: npm start')
  const profiles = new Map(Object.entries(readProfiles(options)))
  const found = profiles.get(name ?? defaultProfile)?.[api]
  if (found !== undefined) return found
  const credentials = name === undefined ? demo() : undefined
  if (credentials !== undefined) {
    printMessage(`Using the demo ${api} of ${dataDir}.`)
    return credentials
  }
  const stored = [...profiles].filter(([, profile]) => profile[api] !== undefined).map(([one]) => one)
  const login = `vigencia login${name === undefined ? '' : ` --profile ${name}`}`
  return refuse(
    name === undefined ? `No ${api} is signed in, and no demo runs on ${dataDir}.` : `Profile ${name} has no ${api}.`,
    stored.length > 0
      ? `Choose one with --profile: ${stored.join(', ')}. Or sign in: ${login}`
      : `Sign in: ${login}. Or start the demo: npm start`,
  )
}

function refuse(message: string, next: string): never {
  throw new CommandError('credentials', message, next)
}
