import { columnOfOffense } from '../../../../src/kernel/import-offenses.ts'
import type { ImportOffense, Offense } from '../../../../src/kernel/offenses.ts'
import { offenseMessage } from '../../../../src/kernel/texts/messages.ts'
import { explainOffense } from '../../../../src/kernel/texts/offenses.ts'
import { ENGLISH, ownValue } from '../../../../src/kernel/texts/texts.ts'
import { currentLanguage } from '../../language/language.ts'

/** What is wrong with a line, in the language of the console. */
export function offenseText(offense: ImportOffense): string {
  const column = columnOfOffense(offense)
  if (currentLanguage() === 'pt-BR') return offenseMessage(offense, column)
  // The meaning of a code for one field does not name the field.
  const isOfField = /^(invalid|missing)-/.test(offense)
  return `${isOfField ? `${column.replaceAll('-', ' ')}: ` : ''}${meaningOf(offense)}`.replaceAll('`', '')
}

function meaningOf(offense: ImportOffense): string {
  const ofLine = ownValue(ENGLISH['import-offenses'], offense)
  if (ofLine !== undefined) return ofLine
  const { meaning, fix } = explainOffense(offense as Offense)
  return `${meaning} ${fix}`
}
