import { Code, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import type { LayoutColumn, LayoutRecord } from '../../entities/layouts/layout.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'

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
