import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './errors.ts'
import type { CommandContext } from './context.ts'

export interface Prompt {
  /** Asks the person at the terminal. @throws CommandError when there is nobody to ask. */
  ask(what: string, usual: string | null, how?: { readonly isHidden?: boolean }): Promise<string>
  close(): void
}

/** Reads from the terminal only once something is asked. Lines that were typed or pasted ahead are kept. */
export function openPrompt(context: CommandContext): Prompt {
  let isHidden = false
  let open: ReturnType<typeof openReader> | null = null
  return {
    async ask(what, usual, how = {}) {
      if (context.stdin.isTTY !== true) {
        throw new CommandError('usage', `${what} is missing, and there is no terminal to ask on.`, {
          next: 'Give it as an option: vigencia login --help',
        })
      }
      open ??= openReader(context, () => isHidden)
      isHidden = how.isHidden === true
      context.stderr.write(`${what}${usual === null ? '' : ` [${usual}]`}: `)
      const answer = await open.next()
      if (isHidden) context.stderr.write('\n')
      return answer.trim() || (usual ?? '')
    },
    close: () => open?.close(),
  }
}

function openReader(context: CommandContext, isHidden: () => boolean) {
  // The reader echoes keys itself: what it writes goes nowhere for a secret.
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
