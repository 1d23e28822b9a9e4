import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { listOf } from '../../api/list-of.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue, Value } from '../../components/value.tsx'
import { type CardNumbers, type CardRow, isShared } from './card-numbers.ts'
import { column, date } from '../../lists/columns.tsx'

interface Actions {
  readonly isPending: boolean
  readonly onChoose: (key: string, movementId: string) => void
  /** Says that the row is right, of several with one number. */
  readonly onConfirm: (key: string) => void
  readonly onLeaveOut: (keys: readonly string[], isLeftOut: boolean) => void
}

/** Who gets which card: each line beside its person. Where lines are matched by a column, those in doubt come first. */
export function CardTable({ numbers, ...actions }: { readonly numbers: CardNumbers } & Actions) {
  const { t } = useTranslation('queue')
  const rows =
    numbers.matchedBy === 'order'
      ? numbers.rows
      : numbers.rows.toSorted((a, b) => Number(a.doubt === null) - Number(b.doubt === null))
  return (
    <DataTable
      label={t('cards.preview')}
      unit="movements"
      columns={columnsOf(t, numbers.hasStartDates, actions)}
      list={listOf(rows)}
      idOf={({ key }) => key}
      maxHeight="40vh"
    />
  )
}

const columnsOf = (t: TFunction<'queue'>, hasStartDates: boolean, actions: Actions): readonly Column<CardRow>[] => [
  {
    id: 'line',
    header: t('file.line'),
    width: '3.5rem',
    isNumeric: true,
    cell: ({ line }) => <Value>{line ?? '—'}</Value>,
  },
  // Whole: here people are compared with their cards.
  column(t('columns.name'), 'minmax(13rem, 2fr)', (row) => (
    <Out row={row}>
      <span className="whole-name">
        <Value>{personOf(row)?.['member-name'] ?? row.text}</Value>
      </span>
    </Out>
  )),
  column(t('columns.taxId'), '8.5rem', (row) => (
    <Out row={row}>
      <CpfValue value={personOf(row)?.['member-tax-id']} />
    </Out>
  )),
  column(t('columns.product'), 'minmax(8rem, 2fr)', (row) => <ProductCell row={row} {...actions} />),
  column(t('cards.card'), 'minmax(7.5rem, 1fr)', (row) => (
    <Out row={row}>
      <Value>{row.card === '' ? '—' : row.card}</Value>
    </Out>
  )),
  ...(hasStartDates ? [date(t('cards.start'), 'startDate', '6.5rem')] : []),
  // The longest doubt with its buttons, which fit in the dialog at 1280 px.
  column(t('cards.state'), '29rem', (row) => <StateCell row={row} {...actions} />),
]

/** What is left out is struck. */
function Out({ row, children }: { readonly row: CardRow; readonly children: ReactNode }) {
  return row.isLeftOut ? <s>{children}</s> : children
}

const personOf = ({ movement, candidates }: CardRow) => movement ?? candidates[0]

function ProductCell({ row, isPending, onChoose }: { readonly row: CardRow } & Actions) {
  const { t } = useTranslation('queue')
  const { key, movement, candidates, card } = row
  if (candidates.length < 2 || card === '') return <Value>{movement?.['product-name'] ?? '—'}</Value>
  return (
    <NativeSelect
      size="xs"
      w="100%"
      aria-label={t('cards.choose', { name: candidates[0]?.['member-name'] ?? '' })}
      value={movement?.id ?? ''}
      disabled={isPending}
      onChange={(event) => onChoose(key, event.currentTarget.value)}
    >
      {movement === null && <option value="">{t('cards.noChoice')}</option>}
      {candidates.map((one) => (
        <option key={one.id} value={one.id} translate="no">
          {one['product-name']} · {one['company-name']}
        </option>
      ))}
    </NativeSelect>
  )
}

function StateCell({ row, isPending, onConfirm, onLeaveOut }: { readonly row: CardRow } & Actions) {
  const { t } = useTranslation('queue')
  const { key, card, doubt, isLeftOut, line } = row
  if (doubt === null && !isLeftOut) return line !== null && card === '' ? t('cards.missing') : null
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" {...(isLeftOut ? { c: 'dimmed' } : { c: 'red', fw: 600 })}>
        {isLeftOut || doubt === null ? t('cards.leftOut') : t(`cards.doubts.${doubt}`)}
      </Text>
      {isShared(doubt) && !isLeftOut && (
        <Button
          size="compact-xs"
          variant="default"
          style={{ flexShrink: 0 }}
          disabled={isPending}
          onClick={() => onConfirm(key)}
        >
          {t('cards.confirm')}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="default"
        style={{ flexShrink: 0 }}
        disabled={isPending}
        onClick={() => onLeaveOut([key], !isLeftOut)}
      >
        {isLeftOut ? t('cards.takeBack') : t('cards.leaveOut')}
      </Button>
    </Group>
  )
}
