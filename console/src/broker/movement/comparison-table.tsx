import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ComparisonKind, type ComparisonRow, compare, type Movement } from './comparison.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { Section } from './section.tsx'

const signs: Readonly<Record<ComparisonKind, string>> = { changed: '≠', new: '+', same: '=', asked: '' }

/** What is asked for beside what is. */
export function Comparison({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation('movement')
  const rows = compare(movement)
  const count = movement.difference.length
  if (rows.length === 0 && movement.status === 'completed') return null
  return (
    <Section title={t('comparison')}>
      {rows.length === 0 ? (
        <Text size="sm">{t('nothingAsked')}</Text>
      ) : (
        <div className="movement-scroller" tabIndex={0} role="group" aria-label={t('comparison')}>
          <Table verticalSpacing={4} className="comparison">
            <caption className="visually-hidden">{t('differences', { count })}</caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('field')}</Table.Th>
                <Table.Th>{t('present')}</Table.Th>
                <Table.Th className="sign">
                  <span className="visually-hidden">{t('sign')}</span>
                </Table.Th>
                <Table.Th>{t('asked')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row key={row.field} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Section>
  )
}

function Row({ row: { field, present, asked, kind } }: { readonly row: ComparisonRow }) {
  const { t } = useTranslation('movement')
  const isDifferent = kind === 'changed' || kind === 'new'
  return (
    <Table.Tr data-kind={kind}>
      <Table.Th scope="row">
        <FieldName field={field} />
      </Table.Th>
      <Table.Td>
        <FieldValue name={field} value={present} />
      </Table.Td>
      <Table.Td className="sign">
        {kind !== 'asked' && (
          <>
            <span aria-hidden translate="no">
              {signs[kind]}
            </span>
            <span className="visually-hidden">{t(`kind.${kind}`)}</span>
          </>
        )}
      </Table.Td>
      <Table.Td fw={isDifferent ? 600 : 400}>
        <FieldValue name={field} value={asked} />
      </Table.Td>
    </Table.Tr>
  )
}
