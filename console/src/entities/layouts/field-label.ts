import i18next from 'i18next'
import { fieldName, wordOf } from '../../components/field-words.ts'
import { TARGETS, SOURCES } from '../../../../src/registry/rules/layout-fields.ts'

const fieldNames: ReadonlySet<string> = new Set([...Object.keys(SOURCES), ...Object.keys(TARGETS)])

/** What people call a field that layouts write or read, such as `person.tax-id`. */
export function layoutFieldLabel(field: string): string {
  const key: string = `layouts:fields.${field}`
  const label = i18next.t(key, { defaultValue: '' })
  if (label !== '') return label
  const [subject = '', name = ''] = field.split('.')
  const form: string = `layouts:subjects.${subject}`
  // A former or changed field is called as what it is of.
  const base = [subject.replace(/^(?:former|changed)-?/, ''), 'person', 'registration']
    .map((of) => `${of}.${name}`)
    .find((one) => one !== field && fieldNames.has(one))
  if (i18next.exists(form) && base !== undefined)
    return i18next.t(form, { field: layoutFieldLabel(base), defaultValue: name })
  return fieldName(name)
}

/** A value of the closed set of such a field in words. */
export function layoutValueLabel(field: string, value: string): string {
  if (field === 'person.relationship') {
    return wordOf('dependent-type', value) ?? wordOf('beneficiary-type', value) ?? value
  }
  const key: string = `terms:entryType.${value}`
  if (field === 'invoice.entry-type') return i18next.t(key, { defaultValue: value })
  const own: string = `layouts:codeValues.${value}`
  if (i18next.exists(own)) return i18next.t(own, { defaultValue: value })
  if (field === 'movement.kind') return wordOf('enrollment-type', value) ?? wordOf('alteration-kind', value) ?? value
  return wordOf(field.slice(field.indexOf('.') + 1), value) ?? value
}
