import { Alert, Button, Group, Modal, Progress, Stack, Text, Textarea } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { CpfValue, Value } from '../../components/value.tsx'
import type { DecisionOutcome } from '../../decisions/decide.ts'
import type { DecidedMovement } from '../../decisions/decision.ts'
import { OutcomeList } from '../../decisions/outcome-list.tsx'
import { type Decided, useDecide } from '../../decisions/use-decide.ts'
import { formatNumber } from '../../format/number.ts'
import { type CardNumbers, readCardNumbers } from './card-numbers.ts'

type Row = CardNumbers['rows'][number]

const columnsOf = (t: TFunction<['queue', 'decisions', 'states']>): readonly Column<Row>[] => [
  {
    id: 'name',
    header: t('queue:columns.name'),
    width: 'minmax(10rem, 1fr)',
    cell: ({ movement }) => <Value>{movement['member-name']}</Value>,
  },
  {
    id: 'cpf',
    header: t('queue:columns.taxId'),
    width: '9.5rem',
    cell: ({ movement }) => <CpfValue value={movement['member-tax-id']} />,
  },
  {
    id: 'product',
    header: t('queue:columns.product'),
    width: 'minmax(9rem, 1fr)',
    cell: ({ movement }) => <Value>{movement['product-name']}</Value>,
  },
  {
    id: 'card',
    header: t('queue:cards.card'),
    width: 'minmax(9rem, 1fr)',
    cell: ({ card }) => (card === null ? t('queue:cards.missing') : <Value>{card}</Value>),
  },
]

/** Completes the selected movements with card numbers that are pasted as a column of a spreadsheet. Shows first which one goes to whom. */
export default function CardNumbersDialog(props: {
  readonly movements: readonly DecidedMovement[]
  readonly onDecided: (outcomes: readonly DecisionOutcome[]) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['queue', 'decisions', 'states'])
  const { movements, onDecided } = props
  const [text, setText] = useState('')
  const { decide, retry, decided, isPending, progress } = useDecide()
  const { rows, unused } = readCardNumbers(text, movements)
  const matched = rows.filter(({ card }) => card !== null)
  const settle = ({ outcomes }: Decided) => onDecided(outcomes)
  const submit = () =>
    void decide(
      matched.map(({ movement }) => movement),
      {
        target: 'completed',
        reason: null,
        pendingItems: [],
        completion: new Map(matched.map(({ movement, card }) => [movement.id, { 'card-number': card ?? '' }])),
      },
    ).then(settle)
  const close = () => {
    if (!isPending) props.onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      size="70rem"
      title={t('queue:cards.title')}
      closeButtonProps={{ 'aria-label': t('states:close'), disabled: isPending }}
      closeOnClickOutside={false}
    >
      {decided === undefined ? (
        <Stack gap="sm">
          <Textarea
            label={t('queue:cards.paste')}
            description={t('queue:cards.pasteHint')}
            rows={5}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          {rows.length < movements.length && (
            <Text size="sm">{t('queue:cards.others', { count: movements.length - rows.length })}</Text>
          )}
          {unused.length > 0 && (
            <Alert
              color="orange"
              variant="outline"
              role="status"
              title={t('queue:cards.unused', { count: unused.length })}
            >
              {unused.slice(0, 10).map((one) => (
                <Text size="sm" key={one.line}>
                  <Value>
                    {one.line}: {one.text}
                  </Value>
                </Text>
              ))}
            </Alert>
          )}
          <DataTable
            label={t('queue:cards.preview')}
            columns={columnsOf(t)}
            list={listOf(rows)}
            idOf={({ movement }) => movement.id}
            maxHeight="40vh"
          />
          {isPending && (
            <Progress
              value={(100 * progress.settled) / progress.total}
              aria-label={t('decisions:running', {
                settled: formatNumber(progress.settled),
                total: formatNumber(progress.total),
              })}
              transitionDuration={0}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isPending}>
              {t('states:cancel')}
            </Button>
            <Button onClick={submit} loading={isPending} disabled={matched.length === 0}>
              {t('queue:cards.submit', { count: matched.length, formatted: formatNumber(matched.length) })}
            </Button>
          </Group>
        </Stack>
      ) : (
        <OutcomeList
          outcomes={decided.outcomes}
          isPending={isPending}
          onRetry={() => void retry(decided).then(settle)}
          onClose={close}
        />
      )}
    </Modal>
  )
}
