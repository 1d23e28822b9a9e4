import { IMPORT_OFFENSE_MEANINGS, OFFENSE_EXPLANATIONS, type ImportOffense } from '../../../../src/domain/offenses.ts'
import { columnOfOffense } from '../../../../src/domain/import-offenses.ts'
import { offenseMessage } from '../../../../src/texts/portuguese-messages.ts'
import { currentLanguage } from '../../language/language.ts'

/** What is wrong with a line, in the language of the console. */
export function offenseText(offense: ImportOffense): string {
  const column = columnOfOffense(offense)
  if (currentLanguage() === 'pt-BR') return offenseMessage(offense, column)
  const meanings: Readonly<Record<string, string>> = IMPORT_OFFENSE_MEANINGS
  const explanations: Readonly<Record<string, { readonly meaning: string; readonly fix: string } | undefined>> =
    OFFENSE_EXPLANATIONS
  const explanation = explanations[offense]
  const text = meanings[offense] ?? (explanation === undefined ? offense : `${explanation.meaning} ${explanation.fix}`)
  // The meaning of a code for one field does not name the field.
  const isOfField = /^(invalid|missing)-/.test(offense)
  return `${isOfField ? `${column.replaceAll('-', ' ')}: ` : ''}${text}`.replaceAll('`', '')
}
