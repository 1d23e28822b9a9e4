import './undo-bar.css'
import { Kbd, Portal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Value } from '../components/value.tsx'
import { formatNumber } from '../format/number.ts'
import { isTyping } from '../components/is-typing.ts'
import { useHasKeys } from './use-page-keys.ts'
import { useHeldDecisions } from '../entities/decisions/held-decisions.ts'
import { UndoButton } from '../entities/decisions/undo-button.tsx'
import { undoDecisions } from '../entities/decisions/undo.ts'

/**
 * The decisions that can still be undone, in the header, where it covers nothing that one works with, and over dialogs. The key `z` undoes the
 * last one, in dialogs too.
 */
export default function UndoBar() {
  const { t } = useTranslation('decisions')
  const held = useHeldDecisions()
  const [hasKeys] = useHasKeys()
  const queryClient = useQueryClient()
  const undo = useMutation({ mutationFn: (jobId: string) => undoDecisions(queryClient, [jobId]) })
  const last = held.at(-1)
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!hasKeys || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key.toLowerCase() !== 'z' || isTyping(event.target) || last === undefined || undo.isPending) return
    event.preventDefault()
    undo.mutate(last.job['job-id'])
  })
  useEffect(() => {
    const controller = new AbortController()
    addEventListener('keydown', press, { signal: controller.signal })
    return () => controller.abort()
  }, [])
  if (last === undefined) return null
  const ids = held.map(({ job }) => job['job-id']).toReversed()
  const count = held.reduce((sum, one) => sum + one.count, 0)
  return (
    <Portal>
      <div className="undo-bar no-print" role="region" aria-label={t('undo')}>
        <span className="text" role="status">
          {held.length > 1 && (
            <>
              <strong>{t('heldCount', { count, formatted: formatNumber(count) })}</strong>
              {' · '}
            </>
          )}
          <Value>{last.text}</Value>
        </span>
        <UndoButton size="compact-sm" jobIds={ids.slice(0, 1)} rightSection={hasKeys && <Kbd size="xs">z</Kbd>}>
          {t(held.length > 1 ? 'undoLast' : 'undo')}
        </UndoButton>
        {held.length > 1 && (
          <UndoButton size="compact-sm" jobIds={ids}>
            {t('undoAll')}
          </UndoButton>
        )}
      </div>
    </Portal>
  )
}
