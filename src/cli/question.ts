import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from './fault.ts'
import type { World } from './world.ts'

/** Asks the person at the terminal. @throws CommandError when there is nobody to ask. */
export async function ask(
  world: World,
  what: string,
  usual: string | null,
  how: { readonly isHidden?: boolean } = {},
): Promise<string> {
  if (world.stdin.isTTY !== true) {
    throw new CommandError('usage', `${what} is missing, and there is no terminal to ask on.`, {
      next: 'Give it as an option: vigencia login --help',
    })
  }
  world.stderr.write(`${what}${usual === null ? '' : ` [${usual}]`}: `)
  // The reader echoes keys itself: what it writes goes nowhere for a secret.
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (how.isHidden !== true) world.stderr.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: world.stdin, output: echo, terminal: true })
  const { interruption } = world
  const interrupted = new AbortController()
  // In raw mode Ctrl-C is a key and no signal.
  reader.once('SIGINT', () => interrupted.abort())
  try {
    const answer = await reader.question('', { signal: AbortSignal.any([interruption, interrupted.signal]) })
    return answer.trim() || (usual ?? '')
  } finally {
    reader.close()
    if (how.isHidden === true) world.stderr.write('\n')
  }
}
