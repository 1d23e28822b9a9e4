import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '#kernel/audit-actions.ts'

/* That only known actions are audited, and that the console has a text for each, is a matter of types. */
test('each action that the console can filter the audit by is written by some code', async () => {
  const folder = new URL('../../src/', import.meta.url)
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts'))
  const sources = await Promise.all(
    paths.filter((path) => path !== 'kernel/audit-actions.ts').map((path) => readFile(new URL(path, folder), 'utf8')),
  )
  const code = sources.join('\n')
  const isWritten = (action: string) => {
    const [noun = '', verb = ''] = action.split('.')
    const [, start = ''] = /^(became-)/.exec(verb) ?? []
    return [`'${action}'`, `\`${noun}.${start}\${`, `}.${verb}\``].some((written) => code.includes(written))
  }
  expect(AUDIT_ACTIONS.filter((action) => !isWritten(action))).toEqual([])
  expect(new Set(AUDIT_ACTIONS).size).toBe(AUDIT_ACTIONS.length)
})
