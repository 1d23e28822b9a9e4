import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Value } from '../../components/value.tsx'
import { layoutFieldLabel } from '../../entities/layouts/field-label.ts'
import type { LayoutColumn } from '../../entities/layouts/layout.ts'
import { readCell } from '../../entities/layouts/read-cell.ts'
import { readLabel } from '../../entities/layouts/read-label.ts'

const maxShown = 10

/** What the columns read in the first lines of a sample. */
export function SamplePreview(props: {
  readonly columns: readonly LayoutColumn[]
  /** The cells of each column. */
  readonly cells: readonly (readonly string[])[]
}) {
  const { t } = useTranslation('layouts')
  const read = props.columns.flatMap((column, at) => {
    const { target } = column
    return target === undefined ? [] : [{ column, target, cells: props.cells[at] ?? [] }]
  })
  const count = Math.min(maxShown, Math.max(0, ...read.map(({ cells }) => cells.length)))
  if (read.length === 0 || count === 0) return null
  return (
    <section>
      <SectionTitle mb={0}>{t('samplePreview')}</SectionTitle>
      <Text size="sm" c="dimmed" mb="xs">
        {t('samplePreviewHelp')}
      </Text>
      <PlainTable<number>
        label={t('samplePreview')}
        verticalSpacing={2}
        items={Array.from({ length: count }, (_, index) => index)}
        idOf={(index) => index}
        columns={read.map(({ column, target, cells }) =>
          plain<number>(<Value>{layoutFieldLabel(target)}</Value>, (index) => {
            const cell = cells[index] ?? ''
            const value = readCell(column, cell)
            if (value !== null) return <Value>{readLabel(target, value) || '—'}</Value>
            return (
              <Text span size="sm" c="red">
                {cell === '' ? t('lacks') : t('notReadable', { text: cell })}
              </Text>
            )
          }),
        )}
      />
    </section>
  )
}
