import { useInterval } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, memo, Suspense, useCallback, type RefObject, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Loading } from '../../components/state-view.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { type DecisionOutcome, isSettled } from '../../entities/decisions/decide.ts'
import type { Target } from '../../entities/decisions/decision.ts'
import type { AskedDecision } from '../../entities/decisions/decision-dialog.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { withLaterTexts } from '../../language/language.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { useColumnChoice } from './column-choice.ts'
import { belowPrimary } from './families.ts'
import { BelowPrimary, queueColumns, type QueueItem } from './queue-columns.tsx'
import { useQueueKeys } from './queue-keys.ts'
import { listQueryOf, type QueueOrder, type QueueSearch } from '../../entities/queue/queue-search.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useActiveRow } from '../../entities/queue/use-active-row.ts'
import { useAssign } from './use-assign.ts'
import { useSelection } from './use-selection.ts'

/** Something that is asked in a dialog: a decision, or card numbers for the movements. */
export interface Asked extends Omit<AskedDecision, 'target'> {
  readonly target: Target | 'card-numbers'
  /** Goes on to the next row, or reduces the selection to what was not done. */
  readonly onDecided: (outcomes: readonly DecisionOutcome[]) => void
}

interface Props {
  readonly search: QueueSearch
  readonly searchInput: RefObject<HTMLInputElement | null>
  /** Whether single keys act. */
  readonly hasKeys: boolean
  readonly onAsk: (asked: Asked) => void
  readonly onHelp: () => void
}

/** The rows of the queue with their selection and keys. Dialogs are the page's, so that opening one renders no row. */
export const QueueTable = memo(function QueueTable({ search, searchInput, hasKeys, onAsk, onHelp }: Props) {
  const { t, i18n } = useTranslation(['queue', 'terms'])
  const navigate = useNavigate()
  const me = useSession()?.['client-id'] ?? ''
  const mayWrite = usePermission('moveEnrollment')
  const query = listQueryOf(search, me)
  const list = usePagedList('listEnrollmentQueue', query, { refetchInterval: 30_000 })
  const selection = useSelection(list, query)
  const active = useActiveRow(list)
  const assign = useAssign(selection.clear)
  const nameOf = useOperatorNames()
  const { choice, widen } = useColumnChoice()
  const [now, setNow] = useState(Date.now)
  const onSort = useCallback(
    (sort: QueueOrder) => void navigate({ to: '/queue', search: { ...search, sort } }),
    [navigate, search],
  )
  useInterval(() => setNow(Date.now()), 60_000, { autoInvoke: true })
  const columns = useMemo(
    () => queueColumns(t, { search, choice, nameOf, now, onSort }),
    // oxlint-disable-next-line react/exhaustive-deps -- the texts change with the language only
    [i18n.language, search, choice, nameOf, now, onSort],
  )
  const { loaded } = list
  const below = useMemo(() => belowPrimary(loaded), [loaded])

  const open = ({ id }: QueueItem, index: number) =>
    void navigate({ to: '/queue/$enrollmentId', params: { enrollmentId: id }, search: { ...search, index } })
  const onDecided = (outcomes: readonly DecisionOutcome[]) => {
    if (selection.selected.size === 0) active.advance()
    else selection.remove(outcomes.filter(isSettled).map(({ movement }) => movement.id))
  }
  const ask = (target: Asked['target']) => {
    const movements = selection.selected.size > 0 ? [...selection.selected.values()] : active.item && [active.item]
    // Until all are selected a decision would be about a part of them.
    if (mayWrite && movements !== undefined && !selection.selectAll.isPending) onAsk({ target, movements, onDecided })
  }
  useQueueKeys(
    {
      next: active.next,
      previous: active.previous,
      select: () => mayWrite && active.item !== undefined && selection.toggle(active.item),
      open: () => active.item !== undefined && open(active.item, active.index ?? 0),
      approve: () => ask('completed'),
      reject: () => ask('rejected'),
      pending: () => ask('pending-documents'),
      toCarrier: () => ask('carrier-processing'),
      assign: () => {
        const ids = selection.selected.size > 0 ? [...selection.selected.keys()] : active.item && [active.item.id]
        if (mayWrite && ids !== undefined && !selection.selectAll.isPending) assign.mutate({ ids, assignee: me })
      },
      search: () => searchInput.current?.select(),
      help: onHelp,
      leave: () => (selection.selected.size > 0 ? selection.clear() : active.leave()),
    },
    hasKeys,
    list.total === null || (active.index !== null && active.item === undefined),
  )
  return (
    <div className="queue-list">
      <BelowPrimary value={below}>
        <DataTable
          label={t('queue:title')}
          unit="movements"
          columns={columns}
          list={list}
          idOf={idOf}
          {...(mayWrite ? { selected: selection.ids, onSelect: selection.select } : {})}
          active={active.index}
          onActivate={active.move}
          // The first click of a double click made the row the active one.
          onOpen={(item) => open(item, active.index ?? 0)}
          // That of the list and the bar below it is in the style sheet.
          maxHeight="100%"
          onResize={widen}
          {...(Object.keys(search).length === 0 ? { emptyView: firstSteps } : {})}
          isDense
        />
      </BelowPrimary>
      <SelectionBar
        count={selection.selected.size}
        total={list.total}
        isSelectingAll={selection.selectAll.isPending}
        onSelectAll={() => selection.selectAll.mutate()}
        onDecide={ask}
        onCardNumbers={() => ask('card-numbers')}
        onAssign={(assignee = me) => assign.mutate({ ids: [...selection.selected.keys()], assignee })}
        onClear={selection.clear}
      />
    </div>
  )
})

const idOf = ({ id }: QueueItem) => id

const FirstSteps = lazy(() => withLaterTexts(import('./first-steps.tsx')))
const firstSteps = (
  <Suspense fallback={<Loading />}>
    <FirstSteps />
  </Suspense>
)
