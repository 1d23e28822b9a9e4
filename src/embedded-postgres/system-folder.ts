import { access, chmod, constants, lstat, mkdir } from 'node:fs/promises'
import { StartError } from '../platform/errors.ts'
import { codeOf } from './errors.ts'

const candidates = ['/var/lib/vigencia', '/var/tmp/vigencia']

/**
 * For root: a folder that root owns and every user can walk through, for what cannot live under a closed home.
 * A folder that somebody else made at that name is not trusted.
 */
export async function systemFolder(): Promise<string> {
  for (const folder of candidates) {
    if (await isOurs(folder)) return folder
  }
  throw new StartError(
    `Neither ${candidates.join(' nor ')} can be used: each must be writable, owned by root and writable by root alone. ` +
      'Mend one, or choose a data folder that the user postgres can reach with VIGENCIA_DATA_DIR.',
  )
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o711 })
    await chmod(folder, 0o711)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false
  }
  const facts = await lstat(folder)
  if (!facts.isDirectory() || facts.uid !== 0 || (facts.mode & 0o022) !== 0) return false
  if ((facts.mode & 0o001) === 0) await chmod(folder, facts.mode | 0o011)
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}
