import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { CommandError, fileError } from './errors.ts'

/** The bytes of a file, or of standard input for `-`. @throws CommandError that names the file. */
export async function readInput(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  try {
    return readFileSync(file)
  } catch (error) {
    throw fileError(file, 'read', error)
  }
}

/** Parses a JSON object; the service validates its content. @throws CommandError that names the file. */
export function parseObject(file: string, bytes: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    // The position of a syntax error, without the text there, which may be personal data.
    const where = cause instanceof SyntaxError ? /position \d+( \(line \d+ column \d+\))?/.exec(cause.message) : null
    const reason = where === null ? 'it ends early or is not UTF-8' : `see ${where[0]}`
    throw new CommandError('usage', `${file} is not JSON: ${reason}.`, null, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('usage', `${file} must hold a JSON object.`)
  }
  return value as Record<string, unknown>
}
