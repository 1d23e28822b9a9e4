import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Api } from '../http/caller.ts'
import { type ApiClient, type Query, responseError, unreachable } from './api-client.ts'
import type { CommandDeclaration, Parameters, Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError, fileError } from './errors.ts'
import { apiCommand } from './operation.ts'
import { interruption, printJson, printMessage } from './terminal.ts'

/** The options of a command that writes a file. */
export const outputParameters = {
  '--output <file>': 'write to a file, readable to this user only; renamed to its name when it is complete',
  '--yes': 'replace a file of that name without asking',
} as const

/** The response ended before it was complete. */
export class TruncatedError extends Error {}

/**
 * Writes a response to a file, or to standard output.
 * @throws CommandError `unreachable` when it was cut off; a file is complete or absent.
 */
export async function save(client: ApiClient, source: Readable, output: string | undefined): Promise<void> {
  try {
    if (output !== undefined) await toFile(source, output)
    else await pipeline(source, process.stdout, { signal: interruption(), end: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The reader of the pipe has closed it.
    if (code === 'EPIPE') return
    const isCutOff = error instanceof TruncatedError || error instanceof TypeError || code === 'ECONNRESET'
    throw isCutOff ? unreachable(client.url, error) : error
  }
}

async function toFile(source: Readable, path: string): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(source, file, { signal: interruption() })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    const isFile = syscall === 'open' || syscall === 'rename' || code === 'ENOSPC'
    throw isFile ? fileError(path, 'written', error) : error
  }
}

interface Download<Declared extends Parameters> extends Omit<CommandDeclaration<Declared>, 'run'> {
  readonly api: Api | 'either'
  /** Text may be written to a terminal. */
  readonly isText?: true
  readonly request: (values: Values<Declared>) => { path: string; query?: Query }
}

/** A command that writes the bytes of a response to a file or to standard output. */
export function downloadOperation<const Declared extends Parameters>({
  request,
  isText,
  ...declared
}: Download<Declared>): CommandDeclaration {
  return apiCommand({
    ...declared,
    parameters: { ...declared.parameters, ...outputParameters } as Parameters as Declared,
    async run(values, client) {
      const { output, yes, json } = values as Values<typeof outputParameters>
      if (output === undefined && !isText && process.stdout.isTTY) {
        throw new CommandError('usage', 'The bytes of a file would go to the terminal.', 'Use --output FILE.')
      }
      await confirmOverwrite(output, yes)
      const { path, query } = request(values)
      const response = await client.send('GET', path, { ...(query && { query }), headers: { accept: '*/*' } })
      if (!response.ok) throw await responseError(response)
      await save(client, Readable.from(response.body ?? []), output)
      if (output === undefined) return
      const { size } = await stat(output)
      if (json) printJson({ file: output, bytes: size })
      else printMessage(`${size} bytes written to ${output}.`)
    },
  })
}
