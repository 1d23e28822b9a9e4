import { StartError } from '../core/errors.ts'

/** The code of a system or SQL error (`ENOENT`, `57P03`); undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Another running service uses the data folder. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError'

  constructor(folder: string, pid?: number) {
    const service =
      pid === undefined ? 'another Vigencia (perhaps in another container)' : `another Vigencia, process ${pid}`
    const stop = pid === undefined ? 'Stop it' : `Stop it (kill ${pid})`
    super(
      `The data folder ${folder} is in use by ${service}. ${stop}, or give this one a folder of its own with VIGENCIA_DATA_DIR.`,
    )
  }
}

const remedies: Record<string, string> = {
  EACCES: 'this user may not write there. Give the folder to this user, or choose another one with VIGENCIA_DATA_DIR.',
  EPERM: 'this user may not do that there. Give the folder to this user, or choose another one with VIGENCIA_DATA_DIR.',
  EROFS: 'the disk is read-only. Choose another folder with VIGENCIA_DATA_DIR.',
  ENOSPC: 'the disk is full. Free some space and start again.',
  EDQUOT: 'the disk quota of this user is used up. Free some space and start again.',
  ENOTDIR: 'a part of the path is a file, not a folder. Choose another folder with VIGENCIA_DATA_DIR.',
  EEXIST: 'a file stands where the folder should be. Move it away, or choose another folder with VIGENCIA_DATA_DIR.',
}

/** A failed file operation as a StartError that says what to do; other errors unchanged. */
export function folderError(folder: string, error: unknown): unknown {
  const remedy = remedies[codeOf(error) ?? '']
  return remedy ? new StartError(`The data folder ${folder} cannot be used: ${remedy}`, { cause: error }) : error
}
