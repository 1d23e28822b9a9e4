import { useTranslation } from 'react-i18next'
import { Copied } from '../../components/copied.tsx'
import { formatDate } from '../../format/date.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { copiedFields, type FieldValueOf, identityOf, type Movement } from './comparison.ts'
import { Fact } from './facts.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Section } from './section.tsx'

/** The person, with the fields in the order of an identity card. */
export function Identity({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const fields = identityOf(movement)
  if (fields.length === 0) return null
  return (
    <Section title={t('person')}>
      <dl className="facts columns">
        {fields.map(([field, value]) => (
          <Fact key={field} label={<FieldName field={field} />}>
            {copiedFields.has(field) ? (
              <CopiedField field={field} value={value} />
            ) : (
              <FieldValue name={field} value={value} />
            )}
          </Fact>
        ))}
      </dl>
    </Section>
  )
}

function CopiedField({ field, value }: { readonly field: string; readonly value: FieldValueOf }) {
  const text = typeof value === 'string' ? copiedText(field, value) : null
  return (
    <Copied text={text} name={text ?? ''}>
      <FieldValue name={field} value={value} />
    </Copied>
  )
}

/** As portals of carriers take it. */
function copiedText(field: string, value: string): string {
  if (field === 'tax-id') return formatCpf(value)
  return field === 'date-of-birth' ? formatDate(value) : value
}
