import { Code, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import type { Layout, LayoutColumn, LayoutRecord } from '../../entities/layouts/layout.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { formatLabel } from './format-options.ts'
import { conditionsOf, recordLabel, totalLabel } from './record-words.ts'

/** A record of a layout: when it is written or read, and its columns. */
export function RecordTable({ record, layout }: { readonly record: LayoutRecord; readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const isFixedWidth = layout.format === 'fixed-width'
  const title = recordLabel(record, layout.definition.records, t)
  return (
    <section>
      <Text fw={600} mb={4}>
        <Value>{title}</Value>
      </Text>
      <Text size="sm" mb="xs">
        <Value>{conditionsOf(record, layout.direction, t).join('; ')}</Value>
      </Text>
      <PlainTable<LayoutColumn>
        label={title}
        verticalSpacing={2}
        translate="yes"
        box={{ translate: 'no', style: { marginBottom: 'var(--mantine-spacing-lg)' } }}
        items={record.columns}
        idOf={(column) => record.columns.indexOf(column)}
        columns={[
          isFixedWidth && plain(t('position'), (column) => <Value>{positionsOf(column)}</Value>),
          rowHeader(t('column'), (column) => (
            <Value>
              {column.heading !== undefined ? (
                <Code>{column.heading}</Code>
              ) : isFixedWidth ? (
                '—'
              ) : (
                record.columns.indexOf(column) + 1
              )}
            </Value>
          )),
          plain(t('content'), (column) => (
            <Value>
              <Content column={column} />
            </Value>
          )),
          plain(t('rules'), (column) => <Value>{rulesOf(column, isFixedWidth, t).join('; ')}</Value>),
        ]}
      />
    </section>
  )
}

const positionsOf = ({ at = 1, length = 1 }: LayoutColumn) => (length === 1 ? String(at) : `${at}–${at + length - 1}`)

function Content({ column: { literal, source, total, target } }: { readonly column: LayoutColumn }) {
  const { t } = useTranslation('layouts')
  if (literal !== undefined) return literal === '' ? t('empty') : t('literal', { text: literal })
  if (total !== undefined) return totalLabel(total, t)
  const field = source ?? target
  return field === undefined ? t('dropped') : layoutFieldLabel(field)
}

function rulesOf(column: LayoutColumn, isFixedWidth: boolean, t: TFunction<'layouts'>): string[] {
  const { length, format, map, required, overflow, align, pad } = column
  return [
    ...(required === true ? [t('required')] : []),
    ...(format === undefined ? [] : [formatLabel(format, t)]),
    ...(map === undefined ? [] : [t('codes', { count: Object.keys(map).length })]),
    ...(length === undefined || isFixedWidth ? [] : [t('atMost', { count: length })]),
    ...(overflow === 'truncate' ? [t('truncate')] : []),
    ...(align === 'right' ? [t('rightAligned')] : []),
    ...(pad === undefined ? [] : [t('filledWith', { character: pad })]),
  ]
}
