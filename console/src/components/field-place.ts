import i18next from 'i18next'
import { termOf } from '../../../src/kernel/texts/texts.ts'
import { currentLanguage } from '../language/language.ts'

/**
 * Where in a body something is wrong, as people call it: `members[2].date-of-birth` is “Data de nascimento 3”. A name without a term is left out:
 * the sentence beside it says what is wrong.
 */
export function placeOf(field: string): string {
  const isPortuguese = currentLanguage() === 'pt-BR'
  const [last = ''] = field.split('.').slice(-1)
  const name = last.replaceAll(/\[\d+\]/g, '')
  const places = [...field.matchAll(/\[(\d+)\]/g)].map(([, index]) => String(Number(index) + 1))
  const words = isPortuguese ? termOf(name) : name.replaceAll('-', ' ')
  const [, record, column] = /^definition\.records\[(\d+)\](?:\.columns\[(\d+)\])?/.exec(field) ?? []
  if (record !== undefined)
    return `${[placeInLayout(record, column), ...(words === undefined || name === 'columns' || name === 'records' ? [] : [words])].join(', ')}:`
  const place = [...(words === undefined ? [] : [words]), ...places].join(' ')
  return place === '' ? '' : `${place}:`
}

function placeInLayout(record: string, column: string | undefined): string {
  const number = (index: string) => String(Number(index) + 1)
  return column === undefined
    ? i18next.t('layouts:placeOfRecord', { record: number(record) })
    : i18next.t('layouts:placeOfColumn', { record: number(record), column: number(column) })
}
