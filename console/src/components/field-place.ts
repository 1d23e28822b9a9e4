import { termOf } from '../../../src/kernel/texts/texts.ts'
import { currentLanguage } from '../language/language.ts'

/**
 * Where in a body something is wrong, as people call it: `members[2].date-of-birth` is “Data de nascimento 3”. A name without a term is left out:
 * the sentence beside it says what is wrong.
 */
export function placeOf(field: string): string {
  // The document of a layout is typed as JSON, under the names of the API.
  const [, inDocument] = /^definition\.(.+)$/.exec(field) ?? []
  if (inDocument !== undefined) return `${inDocument}:`
  const isPortuguese = currentLanguage() === 'pt-BR'
  const [last = ''] = field.split('.').slice(-1)
  const name = last.replaceAll(/\[\d+\]/g, '')
  const places = [...field.matchAll(/\[(\d+)\]/g)].map(([, index]) => String(Number(index) + 1))
  const words = isPortuguese ? termOf(name) : name.replaceAll('-', ' ')
  const place = [...(words === undefined ? [] : [words]), ...places].join(' ')
  return place === '' ? '' : `${place}:`
}
