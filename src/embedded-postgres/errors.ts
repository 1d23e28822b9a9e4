import { StartError } from '../platform/errors.ts'

/** The code of a system or SQL error (`ENOENT`, `57P03`); undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const mends: Record<string, string> = {
  EACCES: 'this user may not write there. Give the folder to this user, or choose another one with VIGENCIA_DATA_DIR.',
  EPERM: 'this user may not do that there. Give the folder to this user, or choose another one with VIGENCIA_DATA_DIR.',
  EROFS: 'the disk is read-only. Choose another folder with VIGENCIA_DATA_DIR.',
  ENOSPC: 'the disk is full. Free some space and start again.',
  EDQUOT: 'the disk quota of this user is used up. Free some space and start again.',
  ENOTDIR: 'a part of the path is a file, not a folder. Choose another folder with VIGENCIA_DATA_DIR.',
  EEXIST: 'a file stands where the folder should be. Move it away, or choose another folder with VIGENCIA_DATA_DIR.',
}

/** Turns a failed file operation into a sentence that says how to mend it; other errors pass unchanged. */
export function folderError(folder: string, error: unknown): unknown {
  const mend = mends[codeOf(error) ?? '']
  return mend ? new StartError(`The data folder ${folder} cannot be used: ${mend}`, { cause: error }) : error
}
