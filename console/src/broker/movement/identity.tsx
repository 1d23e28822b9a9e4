import { Button, CopyButton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ageAt } from '../../../../src/money/rules/premium.ts'
import { Copied } from '../../components/copied.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { fieldName, wordOf } from '../../components/field-words.ts'
import { formatDate, businessDate } from '../../format/date.ts'
import { formatAmount } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { type FieldValueOf, identityOf, type Movement } from './comparison.ts'
import { Fact } from './facts.tsx'
import { Section } from './section.tsx'

/** The person, with the fields in the order of an identity card; each is copied as portals of carriers take it, or all of them. */
export function Identity({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const fields = identityOf(movement)
  if (fields.length === 0) return null
  const isAsked = movement['enrollment-type'] === 'inclusion'
  const lines = fields.flatMap(([field, value]) => {
    const text = copiedText(field, value)
    return text === null ? [] : [`${fieldName(field)}: ${text}`]
  })
  return (
    <Section
      title={t(isAsked ? 'included' : 'person')}
      action={
        <CopyButton value={lines.join('\n')} timeout={1_500}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" className="no-print" onClick={copy}>
              {t(copied ? 'allCopied' : 'copyAll')}
            </Button>
          )}
        </CopyButton>
      }
    >
      <dl className="facts columns identity">
        {fields.map(([field, value]) => (
          <Fact key={field} label={<FieldName field={field} />}>
            <Copied text={copiedText(field, value)} name={fieldName(field)}>
              <FieldValue name={field} value={value} />
              {field === 'date-of-birth' && typeof value === 'string' && <Age born={value} />}
            </Copied>
          </Fact>
        ))}
      </dl>
    </Section>
  )
}

function Age({ born }: { readonly born: string }) {
  const { t } = useTranslation('movement')
  const count = ageAt(born, businessDate())
  return (
    <Text span size="sm" c="dimmed">
      {' '}
      · {t('age', { count })}
    </Text>
  )
}

/** As portals of carriers take it; null: it has nothing to copy. */
function copiedText(field: string, value: FieldValueOf): string | null {
  if (typeof value === 'number') return field.endsWith('salary') ? formatAmount(value) : String(value)
  if (typeof value !== 'string' || value === '') return null
  if (field === 'tax-id') return formatCpf(value)
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : (wordOf(field, value) ?? value)
}
