import { Button, Group, Stack, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { formatNumber } from '../../format/number.ts'
import { text, cpf, column } from '../../lists/columns.tsx'
import { type DecisionOutcome, isMade, isRetryable } from './decide.ts'
import { focusFirst } from './focus-first.ts'
import { OutcomeWords } from './outcome-words.tsx'

const columnsOf = (t: TFunction<['decisions', 'queue', 'states']>): readonly Column<DecisionOutcome>[] => [
  text(t('queue:columns.name'), ({ movement }) => movement['member-name'], 'minmax(10rem, 14rem)'),
  cpf(t('queue:columns.taxId'), ({ movement }) => movement['member-tax-id'], '9.5rem'),
  column(t('decisions:outcomes'), 'minmax(44rem, 1fr)', (outcome) => <OutcomeWords outcome={outcome} />),
]

/** The outcome of each movement, those that were not done first, which can be tried again. */
export function OutcomeList(props: {
  readonly outcomes: readonly DecisionOutcome[]
  readonly isPending: boolean
  readonly onRetry: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['decisions', 'queue', 'states'])
  const { outcomes } = props
  const retryable = outcomes.filter(isRetryable).length
  const done = outcomes.filter(isMade).length
  const already = outcomes.filter(({ kind }) => kind === 'already').length
  const rows = outcomes.toSorted((a, b) => Number(isMade(a)) - Number(isMade(b)))
  return (
    <Stack ref={focusFirst}>
      <Text role="status" fw={600}>
        {t('decisions:done', { count: done, formatted: formatNumber(done) })}
        {already > 0 && ` · ${t('decisions:alreadyDone', { count: already })}`}
        {done + already < outcomes.length &&
          ` · ${t('decisions:notDone', { count: outcomes.length - done - already })}`}
      </Text>
      <DataTable
        label={t('decisions:outcomes')}
        columns={columnsOf(t)}
        list={listOf(rows)}
        idOf={({ movement }) => movement.id}
        maxHeight="50vh"
      />
      <Group justify="flex-end">
        {retryable > 0 && (
          <Button variant="default" loading={props.isPending} onClick={props.onRetry}>
            {t('decisions:retry', { count: retryable })}
          </Button>
        )}
        <Button onClick={props.onClose} data-autofocus>
          {t('states:close')}
        </Button>
      </Group>
    </Stack>
  )
}
