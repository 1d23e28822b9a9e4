import { constants, createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type ParseError, parse } from 'jsonc-parser'
import { CommandError, fileError } from './errors.ts'
import { say } from './language.ts'
import { interruption, oneLine } from './terminal.ts'

/** The bytes of a file, or of standard input for `-`. @throws CommandError that names the file. */
export async function readInput(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  try {
    return readFileSync(file)
  } catch (error) {
    throw fileError(file, 'read', error)
  }
}

/** A file to send: read as it is sent. @throws CommandError that names it. */
export async function openFile(file: string): Promise<Blob> {
  try {
    // Its error says whether the file is absent; that of `openAsBlob` does not.
    await access(file, constants.R_OK)
    return await openAsBlob(file)
  } catch (error) {
    throw fileError(file, 'read', error)
  }
}

/**
 * Runs with the path and the name of a file. Standard input is kept in a file meanwhile: a call that is repeated needs the whole content again, which
 * may not fit into memory.
 */
export async function withInput<T>(file: string, run: (path: string, name: string) => Promise<T>): Promise<T> {
  if (file !== '-') return run(file, file)
  const folder = await mkdtemp(join(tmpdir(), 'vigencia-input-'))
  try {
    const path = join(folder, 'stdin')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal: interruption() })
    return await run(path, 'stdin')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Parses a JSON object; the service validates its content. @throws CommandError that names the file. */
export function parseObject(file: string, bytes: Buffer): Record<string, unknown> {
  let value: unknown
  const text = decode(file, bytes)
  try {
    value = JSON.parse(text)
  } catch (cause) {
    // The position of the error and one character: more of the text may be personal data.
    const errors: ParseError[] = []
    parse(text, errors, { disallowComments: true })
    const { offset = text.length } = errors[0] ?? {}
    const line = text.slice(0, offset).split('\n').length
    const character = text.slice(offset).trimStart().at(0)
    const found = character === undefined ? say`it ends too early` : say`unexpected "${oneLine(character)}"`
    const next = say`If it is CSV: --format csv, where the command has it.`
    throw new CommandError('usage', say`${file} is not JSON: ${found} at line ${line}.`, next, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('usage', say`${file} must hold a JSON object.`)
  }
  return value as Record<string, unknown>
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CommandError('usage', say`${file} is not JSON: it is not UTF-8.`, say`Save it as UTF-8.`, { cause })
  }
}
