import { useTranslation } from 'react-i18next'
import { fieldName } from './field-words.ts'
import { Value } from './value.tsx'

/** The name of a field of the API, in the language of the console. */
export function FieldName({ field }: { readonly field: string }) {
  useTranslation()
  return <Value>{fieldName(field)}</Value>
}
