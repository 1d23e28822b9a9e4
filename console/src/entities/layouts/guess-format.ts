import type { Schemas } from '@vigencia/client'
import { FormEvidence } from '../../../../src/kernel/cell-values.ts'
import { type FieldOfLayout, type Target, TARGETS } from '../../../../src/registry/rules/layout-fields.ts'

type Format = NonNullable<Schemas['LayoutColumn']['format']>

/** Dates of digits alone: where each has its year, month and day. */
const digitPatterns: readonly (readonly [format: Format, form: RegExp])[] = [
  ['date:ddMMyyyy', /^(?<day>\d\d)(?<month>\d\d)(?:19|20)\d\d$/],
  ['date:yyyyMMdd', /^(?:19|20)\d\d(?<month>\d\d)(?<day>\d\d)$/],
  ['date:yyyyMM', /^(?:19|20)\d\d(?<month>\d\d)$/],
  ['date:MMyyyy', /^(?<month>\d\d)(?:19|20)\d\d$/],
  ['date:yyMMdd', /^\d\d(?<month>\d\d)(?<day>\d\d)$/],
]

function isDateOf(text: string, form: RegExp): boolean {
  const groups = form.exec(text)?.groups
  if (groups === undefined) return false
  const [month, day] = [Number(groups['month']), Number(groups['day'] ?? 1)]
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

/** The form of days or months, as far as examples say it; those with separators are read in any form. */
function dateFormatOf(samples: readonly string[], isMonth: boolean): Format {
  const days = samples.filter((text) => !/^[0\s./-]*$/.test(text))
  if (days.length > 0 && days.every((text) => /^\d+$/.test(text))) {
    const found = digitPatterns.find(([, form]) => days.every((text) => isDateOf(text, form)))
    if (found !== undefined) return found[0]
  }
  // A month may be written as its first day.
  return isMonth && !days.some((text) => /^\d+[-/.]\d+[-/.]\d+/.test(text)) ? 'date:MM/yyyy' : 'date:dd/MM/yyyy'
}

function moneyFormatOf(samples: readonly string[]): Format {
  const evidence = new FormEvidence()
  for (const text of samples) evidence.addMoney(text)
  return evidence.forms.decimals === 'point' ? 'money:point' : 'money:comma'
}

export const fieldOfTarget = (target: Target): FieldOfLayout => TARGETS[target]

/** How a column of the target is most likely written. @param samples some of its cells. */
export function guessFormat(target: Target, samples: readonly string[]): Format | undefined {
  const filled = samples.map((text) => text.trim()).filter((text) => text !== '')
  const { type } = fieldOfTarget(target)
  if (type === 'money') return moneyFormatOf(filled)
  return type === 'date' ? dateFormatOf(filled, target.endsWith('-month')) : undefined
}
