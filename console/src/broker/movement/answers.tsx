import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TimestampValue } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Section } from './section.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'

/** What the answers of the partner changed, the latest first. */
export function Answers({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('review')
  if (movement.answers.length === 0) return null
  return (
    <Section title={t('answers')}>
      {movement.answers.toReversed().map(({ at, changes }) => (
        <Fragment key={at}>
          <Text size="xs" c="dimmed" mb={4}>
            <TimestampValue value={at} />
          </Text>
          <PlainTable<(typeof changes)[number]>
            label={t('answers')}
            className="comparison"
            verticalSpacing={4}
            box={{ role: 'group' }}
            items={changes}
            idOf={({ field }) => field}
            rowOf={() => ({ 'data-kind': 'changed' })}
            columns={[
              rowHeader(t('answerField'), ({ field }) => <FieldName field={field} />),
              plain(t('answerBefore'), ({ field, old }) => <FieldValue name={field} value={old} />),
              plain(t('answerAfter'), (change) => <FieldValue name={change.field} value={change.new} />, { fw: 600 }),
            ]}
          />
        </Fragment>
      ))}
    </Section>
  )
}
