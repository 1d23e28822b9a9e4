import { useTranslation } from 'react-i18next'
import { termOf } from '../../../src/texts/texts.ts'
import { Value } from './value.tsx'

/** The name of a field of the API: in Portuguese its term in texts/. */
export function FieldName({ field }: { readonly field: string }) {
  const { i18n } = useTranslation()
  const english = field.replaceAll('-', ' ')
  const term = i18n.language === 'pt-BR' ? termOf(field) : undefined
  return <Value>{term ?? `${english.charAt(0).toUpperCase()}${english.slice(1)}`}</Value>
}
