import { Table, Text } from '@mantine/core'
import type { Schemas } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import type { Target } from '../../../../src/registry/rules/layout-fields.ts'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import { readLabel } from '../../entities/layouts/read-label.ts'
import { text } from '../../lists/columns.tsx'

type Refused = Schemas['LayoutReading']['refused'][number]
type RefusedCell = Refused['cells'][number] & Pick<Refused, 'line'>

/** The lines of a file as a layout reads them, and those that it refuses. */
export function Reading({ reading }: { readonly reading: Schemas['LayoutReading'] }) {
  const { t } = useTranslation('layouts')
  const { counts, lines, refused } = reading
  return (
    <>
      <Text role="status" size="sm">
        {t('counts', {
          read: formatNumber(counts.read),
          refused: formatNumber(counts.refused),
          skipped: formatNumber(counts.skipped),
        })}
      </Text>
      {refused.length > 0 && (
        <PlainTable<RefusedCell>
          label={t('refusedLines')}
          verticalSpacing={2}
          items={refused.flatMap(({ line, cells }) => cells.map((cell) => ({ ...cell, line })))}
          idOf={({ line, column, code }) => `${line} ${column} ${code}`}
          columns={[
            plain(t('line'), ({ line }) => <Value>{line}</Value>),
            text(t('cell'), 'column'),
            text(t('reason'), 'message'),
          ]}
        >
          <Table.Caption style={{ captionSide: 'top' }}>{t('refusedLines')}</Table.Caption>
        </PlainTable>
      )}
      {lines.length > 0 && (
        <PlainTable<(typeof lines)[number]>
          label={t('readLines')}
          verticalSpacing={2}
          items={lines}
          idOf={({ line, record }) => `${line} ${record}`}
          columns={[
            plain(t('line'), ({ line }) => <Value>{line}</Value>),
            text(t('recordName'), 'record'),
            text(t('values'), ({ values }) =>
              Object.entries(values)
                .map(([target, value]) => `${layoutFieldLabel(target)}: ${readLabel(target as Target, value)}`)
                .join(' · '),
            ),
          ]}
        >
          <Table.Caption style={{ captionSide: 'top' }}>{t('readLines')}</Table.Caption>
        </PlainTable>
      )}
    </>
  )
}
