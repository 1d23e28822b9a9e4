import { Table, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TimestampValue } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Section } from './section.tsx'

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
          <div className="movement-scroller" tabIndex={0} role="group" aria-label={t('answers')}>
            <Table verticalSpacing={4} className="comparison">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('answerField')}</Table.Th>
                  <Table.Th>{t('answerBefore')}</Table.Th>
                  <Table.Th>{t('answerAfter')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {changes.map(({ field, old, new: changed }) => (
                  <Table.Tr key={field} data-kind="changed">
                    <Table.Th scope="row">
                      <FieldName field={field} />
                    </Table.Th>
                    <Table.Td>
                      <FieldValue name={field} value={old} />
                    </Table.Td>
                    <Table.Td fw={600}>
                      <FieldValue name={field} value={changed} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </Fragment>
      ))}
    </Section>
  )
}
