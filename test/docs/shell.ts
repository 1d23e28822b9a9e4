/* A bash that runs the samples of a page one after another. */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Ran {
  /** stdout and stderr, as a terminal shows them. */
  readonly output: string
  readonly exitCode: number
  /** The first command that failed: its line in the sample, from 1. */
  readonly failed: { readonly line: number; readonly exitCode: number } | null
}

export interface Shell {
  /** @throws when the sample ends the shell or does not end in two minutes. */
  run(sample: string): Promise<Ran>
  close(): Promise<void>
}

const sampleTimeoutMs = 120_000

/** @throws when bash or curl is not installed. */
export function requirePrograms(): void {
  for (const program of ['bash', 'curl']) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' })
    } catch {
      throw new Error(`The samples of the documentation need ${program}: apt-get install --yes ${program}`)
    }
  }
}

/** @param prelude run first, for functions. */
export async function openShell(cwd: string, env: Record<string, string>, prelude: string): Promise<Shell> {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: 'pipe', detached: true })
  const closed = once(child, 'close')
  // A write to a shell that has ended fails; `run` tells so.
  child.stdin.on('error', () => undefined)
  let written = ''
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
      wake()
    })
  }
  let hasEnded = false
  child.once('close', () => {
    hasEnded = true
    wake()
  })
  const marker = randomUUID()
  const end = new RegExp(`\n${marker} (\\d+) (\\d*) ?(\\d*)\n`)
  const wholeSample = async (): Promise<Ran> => {
    const expires = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => expires.resolve('late'), sampleTimeoutMs)
    try {
      for (;;) {
        const found = end.exec(written)
        if (found !== null) {
          const output = written.slice(0, found.index)
          written = written.slice(found.index + found[0].length)
          const [, code = '', line = '', status = ''] = found
          const failed = line === '' ? null : { line: Number(line), exitCode: Number(status) }
          return { output, exitCode: Number(code), failed }
        }
        if (hasEnded) throw new Error(`the shell ended; it printed\n${written}`)
        const more = new Promise<void>((resolve) => (wake = resolve))
        if ((await Promise.race([more, expires.promise])) === 'late') {
          throw new Error(`it does not end; it printed\n${written}`)
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }
  let count = 0
  const run = (sample: string) => {
    count += 1
    const file = join(cwd, `.sample-${count}.sh`)
    writeFileSync(file, sample)
    child.stdin.write(`_failed=; source ${file} </dev/null; printf '\\n${marker} %s %s\\n' "$?" "$_failed"\n`)
    return wholeSample()
  }
  const close = async () => {
    try {
      // The group: with what a sample left running.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The shell has ended, and all that it started.
    }
    await closed
  }
  try {
    await run(`exec 2>&1\n${prelude}`)
    child.stdin.write(`trap '_status=$?; [ -n "$_failed" ] || _failed="$LINENO $_status"' ERR\n`)
    return { run, close }
  } catch (error) {
    await close()
    throw error
  }
}
