import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { demoProfilePath } from '../demo/profile.ts'
import { readVariables } from '../platform/config.ts'
import { settings } from '../platform/settings.ts'
import { CommandError } from './errors.ts'
import { printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** Which of the two APIs a client is for. */
export type Kind = 'partner' | 'operator'

export interface Credentials {
  readonly url: string
  readonly 'client-id': string
  readonly 'client-secret': string
}

/** The credentials for one service: at most one client for each API. */
export type Profile = Partial<Record<Kind, Credentials>>

/** What the commands that call a service read from the environment. */
export interface ProfileSettings {
  /** `VIGENCIA_PROFILE`. */
  readonly profile: string | null
  readonly dataDir: string
  /** The folder of the profiles. */
  readonly folder: string
}

/** Reads only what such a command needs. @throws StartError for a variable that is no setting. */
export function readProfileSettings(environment: NodeJS.ProcessEnv): ProfileSettings {
  const texts = readVariables(environment)
  const { XDG_CONFIG_HOME, HOME } = environment
  // The XDG Base Directory Specification has relative paths ignored.
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config')
  return {
    profile: texts.get(settings.profile.name) ?? null,
    dataDir: texts.get(settings.dataDir.name) ?? settings.dataDir.default ?? '',
    folder: join(base, 'vigencia'),
  }
}

const fileName = 'profiles.json'
export const defaultProfile = 'default'

/** The stored profiles by name. @throws CommandError when the file cannot be read, or others can read it. */
export function readProfiles(options: ProfileSettings): Record<string, Profile> {
  const path = join(options.folder, fileName)
  const text = readPrivate(path)
  if (text === null) return {}
  const profiles = parseProfiles(text)
  if (profiles === null) {
    throw new CommandError('usage', `${path} is no file of profiles.`, {
      next: 'Move it away and sign in again: vigencia login',
    })
  }
  return profiles
}

function parseProfiles(text: string): Record<string, Profile> | null {
  try {
    const { profiles } = JSON.parse(text) as { profiles?: unknown }
    return typeof profiles === 'object' && profiles !== null ? (profiles as Record<string, Profile>) : null
  } catch {
    return null
  }
}

/** Stores the profiles, readable to this user only. Replaces the file atomically. */
export function writeProfiles(options: ProfileSettings, profiles: Record<string, Profile>): string {
  const path = join(options.folder, fileName)
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
  return path
}

function readPrivate(path: string): string | null {
  try {
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new CommandError('usage', `${path} holds secrets, and others may read it.`, { next: `chmod 600 ${path}` })
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (error instanceof CommandError) throw error
    throw new CommandError('usage', `${path} cannot be read (${code ?? 'unknown'}).`, { cause: error })
  }
}

/**
 * The credentials of the named profile, else of the default one, else of the demo that runs on the data folder.
 * @throws CommandError when there are none, with what to do.
 */
export function findCredentials(context: CommandContext, kind: Kind, named: string | undefined): Credentials {
  const options = readProfileSettings(context.environment)
  const name = named ?? options.profile
  if (name === 'demo') return demoOf(options, kind) ?? noDemo(options)
  const profiles = readProfiles(options)
  const found = Object.hasOwn(profiles, name ?? defaultProfile) ? profiles[name ?? defaultProfile]?.[kind] : undefined
  if (found !== undefined) return found
  if (name === null) {
    const demo = demoOf(options, kind)
    if (demo !== null) {
      printMessage(context, `Using the demo ${kind} of ${options.dataDir}.`)
      return demo
    }
  }
  const stored = Object.keys(profiles).filter((one) => profiles[one]?.[kind] !== undefined)
  throw new CommandError(
    'credentials',
    name === null
      ? `No ${kind} is signed in, and no demo runs on ${options.dataDir}.`
      : `Profile ${name} has no ${kind}.`,
    {
      next:
        stored.length > 0
          ? `Choose one with --profile: ${stored.join(', ')}. Or sign in: vigencia login${name === null ? '' : ` --profile ${name}`}`
          : `Sign in: vigencia login${name === null ? '' : ` --profile ${name}`}. Or start the demo: npm start`,
    },
  )
}

function demoOf(options: ProfileSettings, kind: Kind): Credentials | null {
  const text = readPrivate(demoProfilePath(options.dataDir))
  if (text === null) return null
  try {
    return (JSON.parse(text) as Profile)[kind] ?? null
  } catch {
    return null
  }
}

function noDemo(options: ProfileSettings): never {
  throw new CommandError('credentials', `No demo runs on ${options.dataDir}.`, {
    next: 'Start it in another terminal: npm start',
  })
}
