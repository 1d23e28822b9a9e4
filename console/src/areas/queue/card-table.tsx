import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue, DateValue, Value } from '../../components/value.tsx'
import type { CardNumbers, CardRow } from './card-numbers.ts'

interface Actions {
  readonly isPending: boolean
  readonly onChoose: (key: string, movementId: string) => void
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
    width: '4rem',
    isNumeric: true,
    cell: ({ line }) => <Value>{line ?? '—'}</Value>,
  },
  {
    id: 'name',
    header: t('columns.name'),
    width: 'minmax(10rem, 1fr)',
    cell: (row) => <Value>{personOf(row)?.['member-name'] ?? row.text}</Value>,
  },
  {
    id: 'cpf',
    header: t('columns.taxId'),
    width: '8.5rem',
    cell: (row) => <CpfValue value={personOf(row)?.['member-tax-id']} />,
  },
  {
    id: 'product',
    header: t('columns.product'),
    width: 'minmax(10rem, 1fr)',
    cell: (row) => <ProductCell row={row} {...actions} />,
  },
  {
    id: 'card',
    header: t('cards.card'),
    width: 'minmax(9rem, 1fr)',
    cell: ({ card }) => <Value>{card === '' ? '—' : card}</Value>,
  },
  ...(hasStartDates
    ? [
        {
          id: 'start',
          header: t('cards.start'),
          width: '6.5rem',
          cell: (row: CardRow) => <DateValue value={row.startDate} />,
        },
      ]
    : []),
  {
    id: 'state',
    header: t('cards.state'),
    width: 'minmax(26rem, 2fr)',
    cell: (row) => <StateCell row={row} {...actions} />,
  },
]

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

function StateCell({ row, isPending, onLeaveOut }: { readonly row: CardRow } & Actions) {
  const { t } = useTranslation('queue')
  const { key, card, doubt, isLeftOut, line } = row
  if (doubt === null) return line !== null && card === '' ? t('cards.missing') : null
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" {...(isLeftOut ? { c: 'dimmed' } : { c: 'red', fw: 600 })}>
        {isLeftOut ? t('cards.leftOut') : t(`cards.doubts.${doubt}`)}
      </Text>
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
