import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../../components/notify.ts'
import { CpfValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { type DecisionOutcome, isMade } from './decide.ts'
import type { DecidedMovement, Decision, Target } from './decision.ts'
import { DecisionForm } from './decision-form.tsx'
import { OutcomeList } from './outcome-list.tsx'
import { type ReasonTemplate, templatesOf } from './templates.ts'
import { type Decided, useDecide } from './use-decide.ts'
import { useReasonTemplates } from './use-reason-templates.ts'
import { Dialog } from '../../components/dialog.tsx'

/** A decision that is asked for: on one movement, or on several alike. */
export interface AskedDecision {
  readonly target: Target
  readonly movements: readonly DecidedMovement[]
}

interface Props {
  /** null: closed. */
  readonly asked: AskedDecision | null
  readonly onClose: () => void
  /**
   * Gets the outcomes once everything was tried: the dialog then closes by itself if all is done, else it stays and shows what was not. It is
   * called again after a retry.
   */
  readonly onDecided?: (outcomes: readonly DecisionOutcome[]) => void
}

/**
 * Asks for what a decision needs and makes it. The focus is in the first field, and Enter confirms. The outcome is notified; conflicts say who
 * changed the movement, and when.
 *
 *   const [asked, setAsked] = useState<AskedDecision | null>(null)
 *   <DecisionDialog asked={asked} onClose={() => setAsked(null)} onDecided={goToTheNext} />
 */
export function DecisionDialog(props: Props) {
  const { asked } = props
  // They are read before a decision is asked for.
  const templates = useReasonTemplates()
  // A new decision begins with empty fields.
  return asked !== null && <OpenedDialog key={keyOf(asked)} {...props} asked={asked} all={templates} />
}

const keyOf = ({ target, movements }: AskedDecision) => `${target} ${movements.length} ${movements[0]?.id}`

function OpenedDialog({
  asked,
  all,
  onClose,
  onDecided,
}: Props & { readonly asked: AskedDecision; readonly all: readonly ReasonTemplate[] }) {
  const { t } = useTranslation(['decisions', 'states', 'terms'])
  const { decide, retry, decided, isPending, progress } = useDecide()
  const { target, movements } = asked
  const [first] = movements
  // The reasons do not change under the hands of who chooses one.
  const [templates] = useState(() => templatesOf(all, target))
  const isSingle = movements.length === 1
  const settle = ({ decision, outcomes }: Decided) => {
    onDecided?.(outcomes)
    if (!outcomes.every((one) => isMade(one) || one.kind === 'undone')) return
    onClose()
    // What can be undone, or was undone, is shown where one does it.
    if (outcomes.some(({ kind }) => kind !== 'done')) return
    const status = t(`terms:status.${decision.target}`)
    const message = isSingle
      ? t('decisions:notified', { status, name: first?.['member-name'] ?? '' })
      : t('decisions:notifiedAll', {
          status,
          count: outcomes.length,
          formatted: formatNumber(outcomes.length),
        })
    notifyDone(<Value>{message}</Value>, 'decide')
  }
  const close = () => {
    if (!isPending) onClose()
  }
  const submit = (decision: Decision) => void decide(movements, decision).then(settle)
  const subject = t('decisions:subject', { count: movements.length, formatted: formatNumber(movements.length) })
  const isListed = decided !== undefined && !isSingle
  return (
    <Dialog
      onClose={close}
      size={isListed ? '70rem' : templates.length > 0 ? 'lg' : 'md'}
      title={isSingle ? t(`decisions:title.${target}`) : `${t(`decisions:title.${target}`)}: ${subject}`}
      isBusy={isPending}
      closeOnClickOutside={!isPending}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        {isSingle && first !== undefined && <Subject movement={first} />}
        {isListed ? (
          <OutcomeList
            outcomes={decided.outcomes}
            isPending={isPending}
            onRetry={() => void retry(decided).then(settle)}
            onClose={close}
          />
        ) : (
          <DecisionForm
            templates={templates}
            target={target}
            movements={movements}
            isPending={isPending}
            progress={progress}
            decided={decided}
            onSubmit={submit}
            onClose={close}
          />
        )}
      </Stack>
    </Dialog>
  )
}

function Subject({ movement }: { readonly movement: DecidedMovement }) {
  const { t } = useTranslation('terms')
  return (
    <div>
      <Text fw={600}>
        <Value>{movement['member-name']}</Value>
      </Text>
      <Text size="sm" c="dimmed">
        {t(`type.${movement['enrollment-type']}`)} · <CpfValue value={movement['member-tax-id']} /> ·{' '}
        <Value>{movement['product-name']}</Value> · <Value>{movement['company-name']}</Value>
      </Text>
    </div>
  )
}
