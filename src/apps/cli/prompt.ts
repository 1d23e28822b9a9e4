import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { interruption } from './terminal.ts'

export interface Prompt {
  /** Reads a value from the terminal. @throws CommandError without a terminal. */
  ask(label: string, preset: string | null, options?: { readonly isHidden?: boolean }): Promise<string>
  close(): void
}

/** A prompt that opens the terminal at its first question. Lines that were pasted ahead answer later questions. */
export function openPrompt(): Prompt {
  let isEchoed = true
  let open: ReturnType<typeof openReader> | null = null
  return {
    async ask(label, preset, { isHidden = false } = {}) {
      if (!process.stdin.isTTY) {
        const next = say`Give it as an option: vigencia login --help`
        throw new CommandError('usage', say`${label} is missing, and there is no terminal to ask on.`, next)
      }
      open ??= openReader(() => isEchoed)
      isEchoed = !isHidden
      process.stderr.write(`${label}${preset === null ? '' : ` [${preset}]`}: `)
      const { value, done } = await open.lines.next()
      if (isHidden) process.stderr.write('\n')
      // Closed by Ctrl-C, which in raw mode is no signal, by Ctrl-D or by SIGTERM.
      if (done) throw new DOMException('The prompt was closed', 'AbortError')
      return value.trim() || (preset ?? '')
    },
    close: () => open?.reader.close(),
  }
}

function openReader(isEchoed: () => boolean) {
  // The reader echoes keys itself; for a secret the echo is discarded.
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isEchoed()) process.stderr.write(chunk)
      done()
    },
  })
  const { stdin: input } = process
  const reader = createInterface({ input, output, terminal: true, historySize: 0, signal: interruption() })
  return { reader, lines: reader[Symbol.asyncIterator]() }
}
