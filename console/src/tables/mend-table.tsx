import { Alert, List, Switch, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '../api/list-of.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Value } from '../components/value.tsx'
import { formatNumber } from '../format/number.ts'
import { type FileColumn, MendCell, type Mended, MendingContext, type WrongLine } from './mend-cell.tsx'
import { column, number } from '../lists/columns.tsx'

/** Shown beside the columns with errors, to recognize the person. */
const identifying: ReadonlySet<string | null> = new Set(['name', 'tax-id'])

const columnsOf = (
  t: TFunction<'tables'>,
  shown: readonly { readonly column: FileColumn; readonly position: number }[],
): readonly Column<WrongLine>[] => [
  number(t('line'), 'line', '5rem'),
  column(t('reasons'), 'minmax(10rem, 1fr)', ({ reasons }) => (
    <span translate="no" title={reasons.join(' ')}>
      {reasons.join(' ')}
    </span>
  )),
  ...shown.map(({ column, position }) => ({
    id: `cell ${position}`,
    header: column.heading,
    isHeaderData: true,
    width: '11rem',
    cell: (row: WrongLine) => <MendCell row={row} column={column} position={position} />,
  })),
]

/** The rejected lines with a field for each cell. */
export function MendTable(props: {
  readonly columns: readonly FileColumn[]
  readonly lines: readonly WrongLine[]
  readonly mended: Mended
  /** null: the role may not mend. */
  readonly onMend: ((line: number, cells: readonly string[]) => void) | null
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (lines: ReadonlySet<string>) => void
}) {
  const { columns, lines, mended, onMend, selected, onSelect } = props
  const { t } = useTranslation('tables')
  const [showsAll, setShowsAll] = useState(false)
  const [active, setActive] = useState<WrongLine | null>(null)
  const wrong = useMemo(() => new Set<string | null>(lines.flatMap((line) => [...line.wrong])), [lines])
  const tableColumns = useMemo(() => {
    const isShown = ({ field }: FileColumn) =>
      showsAll || (field !== null && wrong.has(field)) || identifying.has(field)
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
          {...(selected === undefined || onSelect === undefined ? {} : { selected, onSelect })}
          onActivate={(index) => setActive(lines[index] ?? null)}
        />
      </MendingContext>
    </>
  )
}

/** Everything that is wrong with the line that is being mended. */
function Reasons({ row }: { readonly row: WrongLine }) {
  const { t } = useTranslation('tables')
  return (
    <Alert variant="default" title={t('reasonsOf', { line: formatNumber(row.line) })} role="status">
      <List size="sm">
        {row.reasons.map((reason) => (
          <List.Item key={reason}>
            <Value>{reason}</Value>
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
