import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { CommandError } from './errors.ts'
import type { CommandContext } from './context.ts'

/** The bytes of a file, or of standard input for `-`. @throws CommandError that names the file. */
export async function readInput(context: CommandContext, file: string): Promise<Buffer> {
  if (file === '-') return buffer(context.stdin)
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      'usage',
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code ?? 'unknown'}).`,
      {
        cause: error,
      },
    )
  }
}

/** Parses a JSON object; the service validates its content. @throws CommandError that names the file. */
export function parseObject(file: string, bytes: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new CommandError('usage', `${file} is not JSON: ${positionOf(error)}.`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('usage', `${file} must hold a JSON object.`)
  }
  return value as Record<string, unknown>
}

/** The position of a syntax error, without the text there, which may be personal data. */
function positionOf(error: unknown): string {
  const where =
    error instanceof SyntaxError
      ? /position \d+ \(line \d+ column \d+\)|position \d+/.exec(error.message)?.[0]
      : undefined
  return where === undefined ? 'it ends early or is not UTF-8' : `see ${where}`
}
