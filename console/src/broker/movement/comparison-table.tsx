import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ComparisonKind, type ComparisonRow, compare, type Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Section } from './section.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'

const signs: Readonly<Record<ComparisonKind, string>> = { changed: '≠', new: '+', same: '=', asked: '' }

/** What is asked for beside what is. */
export function Comparison({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const rows = compare(movement)
  const count = movement.difference.length
  if (rows.length === 0 && (movement.status === 'completed' || movement['enrollment-type'] === 'inclusion')) return null
  return (
    <Section title={t('comparison')}>
      {rows.length === 0 ? (
        <Text size="sm">{t('nothingAsked')}</Text>
      ) : (
        <PlainTable<ComparisonRow>
          label={t('comparison')}
          className="comparison"
          verticalSpacing={4}
          box={{ role: 'group' }}
          items={rows}
          idOf={({ field }) => field}
          rowOf={({ kind }) => ({ 'data-kind': kind })}
          columns={[
            rowHeader(t('field'), ({ field }) => <FieldName field={field} />),
            plain(t('present'), ({ field, present }) => <FieldValue name={field} value={present} />),
            plain(
              <span className="visually-hidden">{t('sign')}</span>,
              ({ kind }) =>
                kind !== 'asked' && (
                  <>
                    <span aria-hidden translate="no">
                      {signs[kind]}
                    </span>
                    <span className="visually-hidden">{t(`kind.${kind}`)}</span>
                  </>
                ),
              { className: 'sign' },
            ),
            plain(
              t('asked'),
              ({ field, asked }) => <FieldValue name={field} value={asked} />,
              ({ kind }) => ({ fw: kind === 'changed' || kind === 'new' ? 600 : 400 }),
            ),
          ]}
        >
          <caption className="visually-hidden">{t('differences', { count })}</caption>
        </PlainTable>
      )}
    </Section>
  )
}
