import { statSync } from 'node:fs'
import type { ApiClient } from './api-client.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { openPrompt } from './prompt.ts'

/** The options of a command that asks before it does what cannot be undone. */
export const confirmParameters = {
  '--yes': 'do not ask before what cannot be undone',
  '--dry-run': 'only show what would be done',
} as const

/**
 * Asks on the terminal whether to go on.
 * @param sentence what would be done.
 * @throws CommandError `refused` when the response is no, and without a terminal unless `yes` is given.
 */
export async function confirm(sentence: string, yes: true | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) {
    throw new CommandError('refused', sentence, say`There is no terminal to ask on: repeat the command with --yes.`)
  }
  const prompt = openPrompt()
  try {
    const typed = await prompt.ask(`${sentence} ${say`Continue? y/n`}`, 'n')
    if (!/^(y(es)?|s(im)?)$/i.test(typed)) throw new CommandError('refused', say`Nothing was done.`)
  } finally {
    prompt.close()
  }
}

/** Asks before an existing file is replaced. */
export async function confirmOverwrite(file: string | undefined, yes: true | undefined): Promise<void> {
  if (file === undefined || !(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)) return
  await confirm(say`${file} exists and would be replaced.`, yes)
}

/** Sends what has dates; when the service refuses one for being far from today, asks, and sends it again as confirmed. */
export async function confirmDates<Sent>(
  client: Pick<ApiClient, 'errorOf'>,
  yes: true | undefined,
  send: (confirm: true | undefined) => Promise<Sent>,
): Promise<Sent> {
  try {
    return await send(yes)
  } catch (cause) {
    const error = client.errorOf(cause)
    if (!(error instanceof CommandError) || (error.body as { code?: string }).code !== 'date-out-of-range') throw error
    await confirm(say`A date is more than two years from today.`, yes)
    return send(true)
  }
}
