import { Button, Group, Progress, Stack, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DecisionOutcome } from '../../entities/decisions/decide.ts'
import type { DecidedMovement } from '../../entities/decisions/decision.ts'
import { OutcomeList } from '../../entities/decisions/outcome-list.tsx'
import { type Decided, useDecide } from '../../entities/decisions/use-decide.ts'
import { formatNumber } from '../../format/number.ts'
import { CardNotes } from './card-notes.tsx'
import { type Answers, confirmRow, matchCardNumbers, noAnswers, sentRows, takersOf } from './card-numbers.ts'
import { CardTable } from './card-table.tsx'
import { Dialog } from '../../components/dialog.tsx'

/**
 * Completes the selected movements with card numbers that are pasted from a spreadsheet. Shows first which one goes to whom; while a row is in
 * doubt nothing is sent.
 */
export default function CardNumbersDialog(props: {
  readonly movements: readonly DecidedMovement[]
  readonly onDecided: (outcomes: readonly DecisionOutcome[]) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['queue', 'decisions', 'states'])
  const { movements, onDecided } = props
  const [text, setText] = useState('')
  const [answers, setAnswers] = useState<Answers>(noAnswers)
  const { decide, retry, decided, isPending, progress } = useDecide()
  const takers = takersOf(movements).length
  const numbers = useMemo(() => matchCardNumbers(text, movements, answers), [text, movements, answers])
  const sent = sentRows(numbers)
  const isDoubtful = numbers.rows.some(({ doubt, isLeftOut }) => doubt !== null && !isLeftOut)
  const choose = (key: string, id: string) =>
    setAnswers((before) => ({ ...before, chosen: new Map(before.chosen).set(key, id) }))
  const leaveOut = (keys: readonly string[], isLeftOut: boolean) =>
    setAnswers((before) => {
      const given = new Set(keys)
      const others = [...before.leftOut].filter((key) => !given.has(key))
      return { ...before, leftOut: new Set(isLeftOut ? [...others, ...keys] : others) }
    })
  const confirm = (key: string) => setAnswers((before) => confirmRow(before, numbers.rows, key))
  const settle = ({ outcomes }: Decided) => onDecided(outcomes)
  const submit = () =>
    void decide(
      sent.map(({ movement }) => movement),
      {
        target: 'completed',
        reason: null,
        pendingItems: [],
        completion: new Map(
          sent.map(({ movement, card, startDate }) => [
            movement.id,
            { 'card-number': card, ...(startDate === null ? {} : { 'start-date': startDate }) },
          ]),
        ),
      },
    ).then(settle)
  const close = () => {
    if (!isPending) props.onClose()
  }
  return (
    <Dialog onClose={close} size="90rem" title={t('queue:cards.title')} isBusy={isPending} closeOnClickOutside={false}>
      {decided === undefined ? (
        <Stack gap="sm">
          <Textarea
            label={t('queue:cards.paste')}
            description={t('queue:cards.pasteHint')}
            rows={5}
            value={text}
            disabled={isPending}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setAnswers(noAnswers)
            }}
            data-autofocus
          />
          <CardNotes numbers={numbers} takers={takers} others={movements.length - takers} onLeaveOut={leaveOut} />
          <CardTable
            numbers={numbers}
            isPending={isPending}
            onChoose={choose}
            onConfirm={confirm}
            onLeaveOut={leaveOut}
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
            <Button
              onClick={submit}
              loading={isPending}
              disabled={sent.length === 0 || isDoubtful || numbers.error !== null}
            >
              {t('queue:cards.submit', { count: sent.length, formatted: formatNumber(sent.length) })}
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
    </Dialog>
  )
}
