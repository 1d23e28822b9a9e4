import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CommandDeclaration, Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError, fileError } from './errors.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { type Operation, operationCommand } from './operation.ts'
import { say } from './language.ts'
import { interruption, printJson, printMessage } from './terminal.ts'

/** The options of a command that writes a file. */
export const outputParameters = {
  '--output <file>':
    'write to a file, readable to this user only; renamed to its name when it is complete; `.xlsx` where the operation has workbooks',
  '--yes': 'replace a file of that name without asking',
} as const

type Source = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** Writes what arrives to a file, or to standard output. */
export async function save(source: Source, output: string | undefined): Promise<void> {
  if (output !== undefined) return toFile(source, output)
  try {
    await pipeline(source, process.stdout, { signal: interruption(), end: false })
  } catch (error) {
    // The reader of the pipe has closed it.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Writes what arrives to a file, which is complete or absent. */
export async function toFile(source: Source, path: string): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    await writeFile(part, source, { mode: 0o600, flag: 'wx', flush: true, signal: interruption() })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    const isFile = syscall === 'open' || syscall === 'rename' || code === 'ENOSPC'
    throw isFile ? fileError(path, 'written', error) : error
  }
}

/** Whether a file is to be a workbook. */
export const isWorkbookName = (file = ''): boolean => /\.xlsx$/i.test(file)

/** @throws CommandError when bytes that are no text would go to a terminal. */
export function refuseTerminal(output: string | undefined): void {
  if (output !== undefined || !process.stdout.isTTY) return
  throw new CommandError('usage', say`The bytes of a file would go to the terminal.`, say`Use --output FILE.`)
}

/** A command that writes the file of an operation to a file or to standard output. @param isText may be written to a terminal. */
export function downloadOperation({
  isText,
  ...declared
}: Operation & { readonly isText: boolean }): CommandDeclaration {
  const parameters = { ...declared.parameters, ...outputParameters }
  return operationCommand({ ...declared, parameters }, async (given, client, id) => {
    const { output, yes, json } = given as Values<typeof outputParameters>
    if (!isText) refuseTerminal(output)
    await confirmOverwrite(output, yes)
    const call = await declared.request(given)
    // An operation that has no workbooks ignores it.
    const headers = isText && isWorkbookName(output) ? { ...call.headers, accept: xlsxType } : call.headers
    await save(await client.sdk.operations.download(id, { ...call, headers }), output)
    if (output === undefined) return
    const { size } = await stat(output)
    if (json) printJson({ file: output, bytes: size })
    else printMessage(say`${size} bytes written to ${output}.`)
  })
}
