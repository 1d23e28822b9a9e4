/*
 * A recorded script of decisions in the queue, played with the keyboard alone. Each decision is on the active row; the next one becomes active
 * by itself.
 */
import type { Page } from 'playwright-core'

interface ScriptedDecision {
  readonly keys: readonly string[]
  /** What the dialog is called while it asks. */
  readonly dialog: string
  readonly status: string
}

const approve: ScriptedDecision = { keys: ['a', 'Enter'], dialog: 'Aprovar', status: 'completed' }
const reject: ScriptedDecision = { keys: ['r', '1', 'Enter'], dialog: 'Rejeitar', status: 'rejected' }
const rejectOther: ScriptedDecision = { keys: ['r', '4', 'Enter'], dialog: 'Rejeitar', status: 'rejected' }
const pending: ScriptedDecision = { keys: ['p', '2', 'Enter'], dialog: 'Abrir pendência', status: 'pending-documents' }
const correct: ScriptedDecision = { keys: ['p', '7', 'Enter'], dialog: 'Abrir pendência', status: 'pending-correction' }
const toCarrier: ScriptedDecision = { keys: ['c', 'Enter'], dialog: 'Para a operadora', status: 'carrier-processing' }

/** An hour of an analyst, over and over. */
const script = [approve, approve, reject, approve, pending, approve, toCarrier, rejectOther, approve, correct]

export interface Played {
  /** The names of the rows that were decided on, in order, with the status that was given. */
  readonly decisions: { readonly name: string; readonly status: string }[]
  readonly keystrokes: number
  readonly maxKeystrokes: number
}

/** Plays decisions in the tab of new movements, from which each of them takes its row. Presses `j` once, to begin. */
export async function playDecisions(page: Page, count: number): Promise<Played> {
  const active = page.locator('main [data-active="true"] a')
  const decisions: Played['decisions'] = []
  let keystrokes = 1
  await page.keyboard.press('j')
  await active.waitFor()
  for (let index = 0; index < count; index++) {
    const { keys, dialog, status } = script[index % script.length] as ScriptedDecision
    const name = (await active.textContent()) ?? ''
    decisions.push({ name, status })
    const [first = '', ...others] = keys
    await page.keyboard.press(first)
    await page.getByRole('dialog', { name: dialog }).waitFor()
    for (const key of others) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' })
    keystrokes += keys.length
  }
  return { decisions, keystrokes, maxKeystrokes: Math.max(...script.map(({ keys }) => keys.length)) }
}
