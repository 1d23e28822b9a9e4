import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { InvalidMembersError } from '@vigencia/client'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import type { Batch, Judged } from './use-batch.ts'
import { warningWords } from './warning-words.ts'

/**
 * The end of the form of a batch: what is wrong, the check, and then what will be sent with what the service says of it. Ctrl+Enter checks, and then
 * sends.
 * @param props.nameOf the name of the member of the batch at a place.
 * @param props.children what will be sent, in words.
 */
export function BatchReview(props: {
  readonly batch: Pick<Batch<never>, 'judged' | 'error' | 'isJudging' | 'isSending' | 'isDraft'>
  readonly nameOf: (index: number) => string
  readonly onSend: () => void
  readonly children: ReactNode
}) {
  const { t } = useTranslation('hr')
  const { batch, nameOf, onSend, children } = props
  const { judged, error } = batch
  const end = useRef<HTMLDivElement>(null)
  useControlEnter(() => {
    if (batch.isJudging || batch.isSending || batch.isDraft) return
    if (judged === null) end.current?.closest('form')?.requestSubmit()
    else onSend()
  })
  if (batch.isDraft) return <AwaitsApproval />
  return (
    <Stack gap="md" ref={end}>
      {error !== null &&
        (error instanceof InvalidMembersError ? (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {t('mendFields')}
          </Text>
        ) : (
          <ErrorMessage error={error} />
        ))}
      {judged === null ? (
        <Group>
          <Button type="submit" loading={batch.isJudging} aria-keyshortcuts="Control+Enter">
            {t('check')}
          </Button>
        </Group>
      ) : (
        <Review judged={judged} nameOf={nameOf} isSending={batch.isSending} onSend={onSend}>
          {children}
        </Review>
      )}
    </Stack>
  )
}

/** It was sent, and waits: nothing is requested yet. */
export function AwaitsApproval() {
  const { t } = useTranslation('hr')
  return (
    <Alert color="blue" variant="default" role="status" title={t('awaitsApprovalTitle')}>
      {t('awaitsApproval')}
    </Alert>
  )
}

/** Anywhere on the page, but in a dialog. */
function useControlEnter(act: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    if (document.querySelector('[role="dialog"]') !== null) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const controller = new AbortController()
    addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [])
}

function Review(props: {
  readonly judged: Judged
  readonly nameOf: (index: number) => string
  readonly isSending: boolean
  readonly onSend: () => void
  readonly children: ReactNode
}) {
  const { t } = useTranslation('hr')
  const { judged, nameOf, isSending, onSend, children } = props
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const words = warningWords()
  const warnings = (judged.warnings ?? []).filter(({ warning }) => warning !== 'missing-documents')
  const missing = judged['missing-documents'] ?? []
  const of = (index: number | undefined) => (index === undefined ? '' : `${nameOf(index)}: `)
  return (
    <Alert color="blue" variant="default" title={t('reviewTitle')}>
      {children}
      {judged.approval !== undefined && (
        <Text size="sm" fw={600} mt="xs">
          {t('needsApproval')}
        </Text>
      )}
      {warnings.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {t('warnings')}
          </Text>
          <List size="sm">
            {warnings.map(({ index, warning, field, 'tax-id': taxId, 'product-name': product }) => (
              <List.Item key={`${index} ${warning} ${field} ${taxId} ${product}`}>
                <Value>
                  {of(index)}
                  {words[warning]}
                  {taxId !== undefined && product !== undefined && ` (${formatCpf(taxId)}, ${product})`}
                </Value>
              </List.Item>
            ))}
          </List>
        </>
      )}
      {missing.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {t('missing')}
          </Text>
          <List size="sm">
            {missing.map(({ index, message, enforcement, 'product-name': product }) => (
              <List.Item key={`${index} ${product} ${message}`}>
                <Value>
                  {of(index)}
                  {message} ({product})
                </Value>{' '}
                · {t(`enforcement.${enforcement}`)}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Group mt="sm">
        <Button ref={button} loading={isSending} onClick={onSend} aria-keyshortcuts="Control+Enter">
          {t('send')}
        </Button>
      </Group>
    </Alert>
  )
}

/** Keyboard and screen reader go on where something is wrong. */
export function focusFirstError(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
