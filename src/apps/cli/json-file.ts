import { openAsBlob, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { type ParseError, parse } from 'jsonc-parser'
import { CommandError, fileError } from './errors.ts'
import { oneLine } from './terminal.ts'

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
  return openAsBlob(file).catch((error: unknown) => {
    throw fileError(file, 'read', error)
  })
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
    const found = character === undefined ? 'it ends too early' : `unexpected "${oneLine(character)}"`
    const next = 'If it is CSV: --format csv, where the command has it.'
    throw new CommandError('usage', `${file} is not JSON: ${found} at line ${line}.`, next, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('usage', `${file} must hold a JSON object.`)
  }
  return value as Record<string, unknown>
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CommandError('usage', `${file} is not JSON: it is not UTF-8.`, 'Save it as UTF-8.', { cause })
  }
}
