import { Box, Code, Table, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import type { LayoutColumn, LayoutRecord } from '../../entities/layouts/layout.ts'

/** A record of a layout: when it is written or read, and its columns. */
export function RecordTable({
  record,
  isFixedWidth,
}: {
  readonly record: LayoutRecord
  readonly isFixedWidth: boolean
}) {
  const { t } = useTranslation('layouts')
  const title = t('record', { name: record.name })
  return (
    <section>
      <Text fw={600} mb={4}>
        <Value>{title}</Value>
      </Text>
      <Text size="sm" mb="xs">
        <Value>{conditionsOf(record, t).join('; ')}</Value>
      </Text>
      <Box className="plain-table" mb="lg" tabIndex={0} role="region" aria-label={title} translate="no">
        <Table fz="sm" verticalSpacing={2} translate="yes">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t(isFixedWidth ? 'position' : 'column')}</Table.Th>
              {isFixedWidth && <Table.Th scope="col">{t('column')}</Table.Th>}
              <Table.Th scope="col">{t('content')}</Table.Th>
              <Table.Th scope="col">{t('rules')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {record.columns.map((column, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity, and do not move
              <Table.Tr key={index}>
                {isFixedWidth && (
                  <Table.Td>
                    <Value>{positionsOf(column)}</Value>
                  </Table.Td>
                )}
                <Table.Th scope="row" fw={400}>
                  <Value>
                    {column.heading === undefined ? isFixedWidth ? '—' : index + 1 : <Code>{column.heading}</Code>}
                  </Value>
                </Table.Th>
                <Table.Td>
                  <Value>
                    <Content column={column} />
                  </Value>
                </Table.Td>
                <Table.Td>
                  <Value>{rulesOf(column, isFixedWidth, t).join('; ')}</Value>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </section>
  )
}

function conditionsOf({ emit, sheet, when = {} }: LayoutRecord, t: TFunction<'layouts'>): string[] {
  const conditions = Object.entries(when).map(
    ([source, values]) => `${source} = ${[values].flat().join(` ${t('or')} `)}`,
  )
  return [
    t(`emit.${emit ?? 'each'}`),
    ...(sheet === undefined ? [] : [t('sheet', { name: sheet })]),
    ...conditions.map((condition) => t('when', { condition })),
  ]
}

const positionsOf = ({ at = 1, length = 1 }: LayoutColumn) => (length === 1 ? String(at) : `${at}–${at + length - 1}`)

function Content({ column: { literal, source, total, target } }: { readonly column: LayoutColumn }) {
  const { t } = useTranslation('layouts')
  if (literal !== undefined) return literal === '' ? t('empty') : t('literal', { text: literal })
  if (total !== undefined) return t('total', { name: total })
  const field = source ?? target
  return field === undefined ? t('dropped') : <Code>{field}</Code>
}

function rulesOf(column: LayoutColumn, isFixedWidth: boolean, t: TFunction<'layouts'>): string[] {
  const { length, format, map, required, overflow, align, pad } = column
  return [
    ...(required === true ? [t('required')] : []),
    ...(format === undefined ? [] : [format]),
    ...(map === undefined ? [] : [t('codes', { count: Object.keys(map).length })]),
    ...(length === undefined || isFixedWidth ? [] : [t('atMost', { count: length })]),
    ...(overflow === 'truncate' ? [t('truncate')] : []),
    ...(align === 'right' ? [t('rightAligned')] : []),
    ...(pad === undefined ? [] : [t('filledWith', { character: pad })]),
  ]
}
