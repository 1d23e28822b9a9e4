import { Alert, List, Switch, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importColumnOf } from '../../../../src/domain/import-columns.ts'
import { listOf } from '../../api/list-of.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { MendCell, type Mended, MendingContext } from './mend-cell.tsx'
import { offenseText } from './offense-text.ts'
import { offenseOf, type RejectedLine, type RejectedLines } from './rejected-lines.ts'

/** Shown beside the columns with errors, to recognize the person. */
const identifying = new Set(['name', 'tax-id'])

const columnsOf = (
  t: TFunction<'imports'>,
  shown: readonly { readonly column: string; readonly position: number }[],
): readonly Column<RejectedLine>[] => [
  {
    id: 'line',
    header: t('line'),
    width: '5rem',
    isNumeric: true,
    cell: ({ line }) => <NumberValue value={line} />,
  },
  {
    id: 'reasons',
    header: t('reasons'),
    width: 'minmax(16rem, 1fr)',
    cell: ({ offenses }) => <Value>{offenses.map(offenseText).join(' ')}</Value>,
  },
  ...shown.map(({ column, position }) => ({
    id: `cell ${position}`,
    header: column,
    isHeaderData: true,
    width: '11rem',
    cell: (row: RejectedLine) => <MendCell row={row} column={column} position={position} />,
  })),
]

/** The rejected lines with a field for each cell. */
export function MendTable(props: {
  readonly rejected: RejectedLines
  readonly mended: Mended
  /** null: the role may not mend. */
  readonly onMend: ((line: number, cells: readonly string[]) => void) | null
  readonly selected: ReadonlySet<string>
  readonly onSelect: (lines: ReadonlySet<string>) => void
}) {
  const { mended, onMend, selected, onSelect } = props
  const { columns, lines } = props.rejected
  const { t } = useTranslation('imports')
  const [showsAll, setShowsAll] = useState(false)
  const [active, setActive] = useState<RejectedLine | null>(null)
  const wrong = useMemo(
    () => new Set(columns.filter((column) => lines.some((line) => offenseOf(line, column) !== undefined))),
    [columns, lines],
  )
  const tableColumns = useMemo(() => {
    const isShown = (column: string) =>
      showsAll || wrong.has(column) || identifying.has(importColumnOf(column)?.name ?? '')
    return columnsOf(
      t,
      columns.map((column, position) => ({ column, position })).filter(({ column }) => isShown(column)),
    )
  }, [t, columns, wrong, showsAll])
  const list = useMemo(() => listOf(lines), [lines])
  const context = useMemo(() => ({ mended, onMend, onFocus: setActive }), [mended, onMend])
  return (
    <>
      <Switch
        label={t('allColumns')}
        checked={showsAll}
        onChange={({ currentTarget: { checked } }) => setShowsAll(checked)}
      />
      {active !== null && <Reasons row={active} />}
      <MendingContext value={context}>
        <DataTable
          label={t('errorTable')}
          unit="lines"
          columns={tableColumns}
          list={list}
          idOf={({ line }) => String(line)}
          {...(onMend === null ? {} : { selected, onSelect })}
          onActivate={(index) => setActive(lines[index] ?? null)}
        />
      </MendingContext>
    </>
  )
}

/** Everything that is wrong with the line that is being mended. */
function Reasons({ row }: { readonly row: RejectedLine }) {
  const { t } = useTranslation('imports')
  return (
    <Alert variant="default" title={t('reasonsOf', { line: formatNumber(row.line) })} role="status">
      <List size="sm">
        {row.offenses.map((offense) => (
          <List.Item key={offense}>
            <Value>{offenseText(offense)}</Value>
          </List.Item>
        ))}
      </List>
      {row.cells === null && (
        <Text size="sm" mt="xs">
          {t('notSplit')}
        </Text>
      )}
    </Alert>
  )
}
