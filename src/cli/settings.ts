import { homedir } from 'node:os'
import { join } from 'node:path'
import { readVariables } from '../platform/config.ts'

export interface CommandSettings {
  /** VIGENCIA_PROFILE */
  readonly profile: string | null
  readonly dataDir: string
  /** Where profiles are kept. */
  readonly folder: string
}

/** What the commands that speak to a service read of the environment. @throws StartError for a variable that is none. */
export function readCommandSettings(environment: NodeJS.ProcessEnv): CommandSettings {
  const values = readVariables(environment)
  const { XDG_CONFIG_HOME, HOME } = environment
  // The specification has relative paths ignored.
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config')
  return {
    profile: values.get('PROFILE') ?? null,
    dataDir: values.get('DATA_DIR') ?? '.data',
    folder: join(base, 'vigencia'),
  }
}
