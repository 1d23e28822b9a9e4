import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '../core/errors.ts'
import { codeOf } from './errors.ts'

const run = promisify(execFile)
const hasProc = process.platform === 'linux'

/**
 * Identifies a process among all that ever have its pid; undefined when it does not run.
 * A zombie does not run: in a container whose first process does not reap, it stays.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (!hasProc) {
    const line = await ps(['-o', 'stat=,lstart=', '-p', String(pid)])
    return line === '' || line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ')).trim()
  }
  const stat = await readText(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ticksAtStart] = [fields[0], fields[19]]
  if (!state || !ticksAtStart || state === 'Z' || state === 'X') return undefined
  const boot = await readText('/proc/sys/kernel/random/boot_id')
  return `${boot.trim()}:${ticksAtStart}`
}

/** The command line of a process, its parts joined by spaces; empty when it does not run. */
export async function commandOf(pid: number): Promise<string> {
  if (!hasProc) return ps(['-o', 'command=', '-p', String(pid)])
  return (await readText(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim()
}

/** The pids of all processes whose command line begins with this text. */
export async function processesTitled(start: string): Promise<number[]> {
  if (!hasProc) {
    const lines = (await ps(['-axo', 'pid=,command='])).split('\n')
    const pairs = lines.map((line) => /^ *(\d+) (.*)/.exec(line))
    return pairs.filter((pair) => pair?.[2]?.startsWith(start)).map((pair) => Number(pair?.[1]))
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const titles = await Promise.all(pids.map(async (pid) => ({ pid, title: await commandOf(pid) })))
  return titles.filter(({ title }) => title.startsWith(start)).map(({ pid }) => pid)
}

/**
 * Whether a process of this program is ending: it has no command line any more, but holds memory that it shares with others until it has
 * ended.
 */
export async function isAnyEnding(program: string): Promise<boolean> {
  if (!hasProc) {
    const lines = (await ps(['-axo', 'stat=,command='])).split('\n')
    return lines.some((line) => !line.startsWith('Z') && line.slice(line.indexOf(' ')).trim() === `(${program})`)
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const endings = pids.map(async (pid) => {
    if ((await readText(`/proc/${pid}/comm`)).trim() !== program || (await commandOf(Number(pid))) !== '') return false
    return (await identityOf(Number(pid))) !== undefined
  })
  return (await Promise.all(endings)).includes(true)
}

/** Sends a signal; does nothing when the process has ended already. @throws StartError without the right to. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return
    const message = `Process ${pid} cannot be stopped by this user. Stop it as its owner: kill -s ${name} ${pid}`
    throw new StartError(message, { cause: error })
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

async function ps(parameters: string[]): Promise<string> {
  const { stdout } = await run('ps', parameters).catch(() => ({ stdout: '' }))
  return stdout.trim()
}
