import { Button, Group, Kbd, Menu, Switch } from '@mantine/core'
import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isTerminal } from '../../../../src/coverage/rules/enrollment-status.ts'
import { type DecisionOutcome, isMade } from '../../entities/decisions/decide.ts'
import { stepsTo, type Target } from '../../entities/decisions/decision.ts'
import { type AskedDecision, DecisionDialog } from '../../entities/decisions/decision-dialog.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { parseQueueSearch } from '../../entities/queue/queue-search.ts'
import type { Movement } from './comparison.ts'
import type { MovementSearch } from './movement-search.ts'
import type { Neighbour, Neighbours } from './use-neighbours.ts'

const keys = [
  { key: 'a', target: 'completed', variant: 'filled' },
  { key: 'r', target: 'rejected', variant: 'default' },
  { key: 'p', target: 'pending-documents', variant: 'default' },
  { key: 'c', target: 'carrier-processing', variant: 'default' },
] as const satisfies readonly { key: string; target: Target; variant: string }[]

/** Those that are needed seldom. */
const others = ['broker-processing', 'created', 'cancelled'] as const satisfies readonly Target[]

/** The decisions that the movement admits, and the way to the next one of the queue. */
export function Actions(props: {
  readonly movement: Movement
  readonly search: MovementSearch
  readonly neighbours: Neighbours
}) {
  const { movement, search, neighbours } = props
  const { t } = useTranslation(['movement', 'decisions'])
  const navigate = useNavigate()
  const mayWrite = usePermission('moveEnrollment')
  const [asked, setAsked] = useState<{ decision: AskedDecision; next: Neighbour | null } | null>(null)
  // The list of keys in the queue switches them off (WCAG 2.1.4).
  const [hasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const [opensNext, setOpensNext] = useLocalStorage({ key: 'vigencia-open-next', defaultValue: true })

  const open = (neighbour: Neighbour | null) => {
    if (neighbour === null) return
    const { id, index } = neighbour
    void navigate({ to: '/queue/$enrollmentId', params: { enrollmentId: id }, search: { ...search, index } })
  }
  const isOpen = !isTerminal(movement.status)
  const admits = (target: Target) => isOpen && stepsTo(movement, target).length > 0
  const ask = (target: Target) => {
    // The list changes with the decision: the next one is the one that follows now.
    if (mayWrite && admits(target)) setAsked({ decision: { target, movements: [movement] }, next: neighbours.next })
  }
  const onDecided = (outcomes: readonly DecisionOutcome[]) => {
    if (opensNext && outcomes.every(isMade)) open(asked?.next ?? null)
  }
  useEscape(() => void navigate({ to: '/queue', search: parseQueueSearch({ ...search }) }))
  useHotkeys(
    asked !== null || !hasKeys
      ? []
      : [
          ...keys.map(({ key, target }) => [key, () => ask(target)] as HotkeyItem),
          ['j', () => open(neighbours.next)],
          ['k', () => open(neighbours.previous)],
        ],
  )
  const further = others.filter(admits)
  return (
    <Group gap="xs" className="no-print" mb="md">
      {search.index !== undefined && (
        <Button.Group>
          <Button
            variant="default"
            size="xs"
            disabled={neighbours.previous === null}
            onClick={() => open(neighbours.previous)}
            aria-keyshortcuts="k"
            rightSection={hasKeys && <Key of="k" />}
          >
            {t('movement:previous')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={neighbours.next === null}
            onClick={() => open(neighbours.next)}
            aria-keyshortcuts="j"
            rightSection={hasKeys && <Key of="j" />}
          >
            {t('movement:next')}
          </Button>
        </Button.Group>
      )}
      {mayWrite && (
        <>
          {keys
            .filter(({ target }) => admits(target))
            .map(({ key, target, variant }) => (
              <Button
                key={key}
                variant={variant}
                size="xs"
                onClick={() => ask(target)}
                aria-keyshortcuts={key}
                rightSection={hasKeys && <Key of={key} />}
              >
                {t(`decisions:action.${target}`)}
              </Button>
            ))}
          {further.length > 0 && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" size="xs">
                  {t('movement:moreActions')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {further.map((target) => (
                  <Menu.Item key={target} onClick={() => ask(target)}>
                    {t(`decisions:action.${target}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          {isOpen && search.index !== undefined && (
            <Switch
              size="xs"
              label={t('movement:openNext')}
              checked={opensNext}
              onChange={({ currentTarget: { checked } }) => setOpensNext(checked)}
            />
          )}
          <DecisionDialog asked={asked?.decision ?? null} onClose={() => setAsked(null)} onDecided={onDecided} />
        </>
      )}
    </Group>
  )
}

/** Escape leaves the page, unless it closes what is open: this listener runs before that of a dialog, which is added later. */
function useEscape(leave: () => void) {
  const press = useEffectEvent(({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (key !== 'Escape' || defaultPrevented) return
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
    leave()
  })
  useEffect(() => {
    const controller = new AbortController()
    addEventListener('keydown', press, { capture: true, signal: controller.signal })
    return () => controller.abort()
  }, [])
}

function Key({ of: key }: { readonly of: string }) {
  return (
    <Kbd size="xs" aria-hidden translate="no" visibleFrom="sm">
      {key}
    </Kbd>
  )
}
