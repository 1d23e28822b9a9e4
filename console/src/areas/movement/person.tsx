import { useTranslation } from 'react-i18next'
import { compare, type Movement, personFields } from './comparison.ts'
import { Fact } from './facts.tsx'
import { FieldName, FieldValue } from './field.tsx'
import { Section } from './section.tsx'

/** The current data of the person that the comparison does not show. */
export function Person({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const fields = personFields(movement, compare(movement))
  if (fields.length === 0) return null
  return (
    <Section title={t('person')}>
      <dl className="facts columns">
        {fields.map(([field, value]) => (
          <Fact key={field} label={<FieldName field={field} />}>
            <FieldValue field={field} value={value} />
          </Fact>
        ))}
      </dl>
    </Section>
  )
}
