import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './errors.ts'
import type { CommandContext } from './context.ts'

export interface Prompt {
  /** Reads a value from the terminal. @throws CommandError without a terminal. */
  ask(label: string, preset: string | null, options?: { readonly isHidden?: boolean }): Promise<string>
  close(): void
}

/** A prompt that opens the terminal at its first question. Lines that were pasted ahead answer later questions. */
export function openPrompt(context: CommandContext): Prompt {
  let isHidden = false
  let open: ReturnType<typeof openReader> | null = null
  return {
    async ask(label, preset, options = {}) {
      if (context.stdin.isTTY !== true) {
        throw new CommandError('usage', `${label} is missing, and there is no terminal to ask on.`, {
          next: 'Give it as an option: vigencia login --help',
        })
      }
      open ??= openReader(context, () => isHidden)
      isHidden = options.isHidden === true
      context.stderr.write(`${label}${preset === null ? '' : ` [${preset}]`}: `)
      const input = await open.next()
      if (isHidden) context.stderr.write('\n')
      return input.trim() || (preset ?? '')
    },
    close: () => open?.close(),
  }
}

function openReader(context: CommandContext, isHidden: () => boolean) {
  // The reader echoes keys itself; for a secret the echo is discarded.
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden()) context.stderr.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: context.stdin, output: echo, terminal: true, historySize: 0 })
  const lines: string[] = []
  reader.on('line', (line) => lines.push(line))
  const interrupted = new AbortController()
  // In raw mode Ctrl-C is a key and no signal; Ctrl-D ends the input.
  reader.once('SIGINT', () => interrupted.abort()).once('close', () => interrupted.abort())
  const signal = AbortSignal.any([context.interruption, interrupted.signal])
  return {
    async next(): Promise<string> {
      while (lines.length === 0) await once(reader, 'line', { signal })
      return lines.shift() ?? ''
    },
    close: () => reader.close(),
  }
}
