import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { needsReason } from '../../../../src/coverage/rules/enrollment-status.ts'
import { useOperation } from '../../api/use-operation.ts'
import { JobProgress } from './job-progress.tsx'
import { type CompletionDraft, CompletionInputs } from './completion-inputs.tsx'
import {
  completionFields,
  type CompletionValues,
  type DecidedMovement,
  type Decision,
  filled,
  type PendingItem,
  type Target,
} from './decision.ts'
import { focusFirst } from './focus-first.ts'
import { OutcomeWords } from './outcome-words.tsx'
import type { PendingDraft } from './pending-items.tsx'
import { ReasonFields } from './reason-fields.tsx'
import type { ReasonTemplate } from './templates.ts'
import type { Decided } from './use-decide.ts'

const PendingItems = lazy(() => import('./pending-items.tsx'))

interface Draft extends PendingDraft {
  readonly target: Target
  /** Its place. */
  readonly template: number | null
  /** null: that of the template. */
  readonly reason: string | null
  readonly completion: CompletionDraft
}

/** The fields of a decision, for just its target and the movements. */
export function DecisionForm(props: {
  readonly target: Target
  /** Those of the target. */
  readonly templates: readonly ReasonTemplate[]
  readonly movements: readonly DecidedMovement[]
  readonly isPending: boolean
  readonly progress: { readonly settled: number; readonly total: number; readonly isAcknowledged: boolean }
  /** The result of the attempt before, with one movement. */
  readonly decided: Decided | undefined
  readonly onSubmit: (decision: Decision) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['decisions', 'states'])
  const { templates, movements, isPending, progress, decided } = props
  const [draft, setDraft] = useState<Draft>(() =>
    draftOf(templates, preselected(props.target, templates), props.target),
  )
  const [isTried, setTried] = useState(false)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { target } = draft
  const reason = draft.reason ?? templates[draft.template ?? -1]?.text ?? ''
  const isReasonRequired = needsReason(target)
  const single = useAsked(movements.length === 1 && target === 'completed' ? movements[0] : undefined)
  const hasFields = single !== undefined && completionFields(single).length > 0
  const isPendingStatus = target === 'pending-documents' || target === 'pending-correction'
  const takesReason = target !== 'completed' && target !== 'carrier-processing'
  const failed = decided?.outcomes[0]
  // The movement is no longer as it was: the same decision would meet the same conflict.
  const hasConflict = failed?.kind === 'conflict' && decided?.decision.target === target
  const asksDates = single !== undefined && isDateQuestion(decided, filled(draft.completion))
  const isReasonMissing = isReasonRequired && reason.trim() === ''
  const submit = () => {
    setTried(true)
    if (isReasonMissing) return
    const values =
      single === undefined ? {} : { ...filled(draft.completion), ...(asksDates ? { confirm: true as const } : {}) }
    props.onSubmit({
      target,
      reason: takesReason && reason.trim() !== '' ? reason.trim() : null,
      pendingItems: isPendingStatus ? pendingItems(target, draft, reason.trim()) : [],
      completion: new Map(single === undefined || Object.keys(values).length === 0 ? [] : [[single.id, values]]),
    })
  }
  return (
    <form
      ref={focusFirst}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) submit()
      }}
    >
      <Stack gap="sm">
        {target === 'completed' &&
          (single === undefined ? (
            <Text size="sm">{t('decisions:asAcceptedOfEach')}</Text>
          ) : (
            <CompletionInputs
              movement={single}
              values={draft.completion}
              onChange={(completion) => change({ completion })}
            />
          ))}
        {target === 'carrier-processing' && <Text size="sm">{t('decisions:carrierHint')}</Text>}
        {takesReason && (
          <ReasonFields
            templates={templates}
            chosen={draft.template}
            text={reason}
            isRequired={isReasonRequired}
            error={isTried && isReasonMissing ? t('decisions:reasonRequired') : undefined}
            onChoose={(chosen) => setDraft({ ...draftOf(templates, chosen, target), completion: draft.completion })}
            onText={(text) => change({ reason: text })}
          />
        )}
        {isPendingStatus && (
          <Suspense fallback={<Loader size="xs" aria-hidden />}>
            <PendingItems
              target={target}
              types={[...new Set(movements.map((one) => one['enrollment-type']))]}
              draft={draft}
              onTarget={(next) => change({ target: next })}
              onDraft={change}
            />
          </Suspense>
        )}
        {failed !== undefined && !isPending && (
          <Alert color={hasConflict ? 'orange' : 'red'} role="alert">
            <OutcomeWords outcome={failed} />
          </Alert>
        )}
        {isPending && progress.total > 1 && <JobProgress label={t(`decisions:title.${target}`)} {...progress} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} disabled={isPending}>
            {t('states:cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={hasConflict}
            {...(target === 'rejected' || target === 'cancelled' ? { color: 'red' } : {})}
            // Where a field has the focus, Enter submits from there.
            {...(templates.length === 0 && !hasFields ? { 'data-autofocus': true } : {})}
          >
            {asksDates ? t('decisions:confirmDates') : t(`decisions:action.${target}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A rejection is final for the partner: its reason is chosen, not confirmed with Enter alone. */
function preselected(target: Target, templates: readonly ReasonTemplate[]): number | null {
  return target === 'rejected' || templates.length === 0 ? null : 0
}

function draftOf(templates: readonly ReasonTemplate[], chosen: number | null, target: Target): Draft {
  const template = templates[chosen ?? -1]
  return {
    target: template?.target ?? target,
    template: chosen,
    reason: null,
    documents: template?.['document-types'] ?? [],
    fields: template?.['correction-fields'] ?? [],
    completion: {},
  }
}

/** Whether the service asks to confirm just these values: a date is far from today. */
function isDateQuestion(decided: Decided | undefined, values: CompletionValues): boolean {
  const [outcome] = decided?.outcomes ?? []
  if (outcome?.kind !== 'refused' || outcome.sent.code !== 'date-out-of-range') return false
  const sent: CompletionValues = decided?.decision.completion.get(outcome.movement.id) ?? {}
  const fields = ['card-number', 'start-date', 'end-date'] as const
  return fields.every((field) => sent[field] === values[field])
}

function pendingItems(target: Target, { documents, fields }: PendingDraft, message: string): PendingItem[] {
  return target === 'pending-documents'
    ? documents.map((type) => ({ kind: 'document', 'document-type': type, message }))
    : fields.map((field) => ({ kind: 'field', field, message }))
}

/** An item of the queue does not say what an alteration changes: that decides what its completion takes. */
function useAsked(movement: DecidedMovement | undefined): DecidedMovement | undefined {
  const isNeeded = movement?.['enrollment-type'] === 'alteration' && movement.asked === undefined
  const { data } = useOperation('readMovement', { path: [movement?.id ?? ''] }, { enabled: isNeeded })
  return movement !== undefined && data !== undefined ? { ...movement, asked: data.result.asked } : movement
}
