import './queue.css'
import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { DataTable, PageHeader } from '../../components/data-table.tsx'
import { Loading } from '../../components/state-view.tsx'
import { type DecisionOutcome, isSettled } from '../../decisions/decide.ts'
import type { Target } from '../../decisions/decision.ts'
import { type AskedDecision, DecisionDialog } from '../../decisions/decision-dialog.tsx'
import { useOperatorNames } from '../../decisions/use-operator-names.ts'
import { saoPauloDay } from '../../format/date.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { KeyList } from './key-list.tsx'
import { queueColumns, type QueueItem } from './queue-columns.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { useQueueKeys } from './queue-keys.ts'
import { listQueryOf, type QueueSearch } from './queue-search.ts'
import { SavedFilters } from './saved-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { useActiveRow } from './use-active-row.ts'
import { useAssign } from './use-assign.ts'
import { useSelection } from './use-selection.ts'

const CardNumbersDialog = lazy(() => import('./card-numbers-dialog.tsx'))
const DecisionsFileDialog = lazy(() => import('./decisions-file-dialog.tsx'))

const route = getRouteApi('/shell/queue')

type Dialog = 'keys' | 'cards' | 'file'

/** The movements to decide on. */
export function QueuePage() {
  const { t, i18n } = useTranslation(['queue', 'terms', 'states'])
  const navigate = useNavigate()
  const search = route.useSearch()
  const me = useSession()?.['client-id'] ?? ''
  const mayWrite = usePermission('queue.write')
  const query = listQueryOf(search, me)
  const list = usePagedList('listEnrollmentQueue', query)
  const selection = useSelection(list, query)
  const active = useActiveRow(list)
  const [asked, setAsked] = useState<AskedDecision | null>(null)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [hasKeys, setHasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const searchInput = useRef<HTMLInputElement>(null)
  const assign = useAssign(selection.clear)
  const nameOf = useOperatorNames()
  // oxlint-disable-next-line react/exhaustive-deps -- the names change with the operators only, and the texts with the language
  const columns = useMemo(() => queueColumns(t, nameOf), [i18n.language, nameOf])

  const show = (next: QueueSearch) => void navigate({ to: '/queue', search: next })
  const open = ({ id }: QueueItem) => void navigate({ to: '/queue/$enrollmentId', params: { enrollmentId: id } })
  const decide = (target: Target) => {
    const movements = selection.selected.size > 0 ? [...selection.selected.values()] : active.item && [active.item]
    if (mayWrite && movements !== undefined) setAsked({ target, movements })
  }
  const settle = (outcomes: readonly DecisionOutcome[]) => {
    if (selection.selected.size === 0) active.advance()
    else selection.remove(outcomes.filter(isSettled).map(({ movement }) => movement.id))
  }
  const leave = () => (selection.selected.size > 0 ? selection.clear() : active.leave())
  useQueueKeys(
    {
      next: active.next,
      previous: active.previous,
      select: () => mayWrite && active.item !== undefined && selection.toggle(active.item),
      open: () => active.item !== undefined && open(active.item),
      approve: () => decide('completed'),
      reject: () => decide('rejected'),
      pending: () => decide('pending-documents'),
      toCarrier: () => decide('carrier-processing'),
      search: () => searchInput.current?.select(),
      help: () => setDialog('keys'),
      leave,
    },
    hasKeys,
  )
  const close = () => setDialog(null)
  return (
    <>
      <PageHeader title={t('queue:title')}>
        <SavedFilters search={search} onChoose={show} />
        {mayWrite && (
          <Button variant="default" size="xs" onClick={() => setDialog('file')}>
            {t('queue:file.title')}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          component="a"
          href={`/operator/v1/enrollment/export?${new URLSearchParams(query as Record<string, string>)}`}
          download={`${t('queue:exportName')}-${saoPauloDay()}.csv`}
        >
          {t('states:export')}
        </Button>
        <Button variant="default" size="xs" onClick={() => setDialog('keys')}>
          {t('queue:keys.title')}
        </Button>
      </PageHeader>
      <StatusTabs search={search} />
      <QueueFilters search={search} searchInput={searchInput} onChange={show} />
      <DataTable
        label={t('queue:title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        {...(mayWrite ? { selected: selection.ids, onSelect: selection.select } : {})}
        active={active.index}
        onActivate={active.move}
        onOpen={open}
        maxHeight="max(20rem, calc(100vh - 22rem))"
      />
      <SelectionBar
        count={selection.selected.size}
        total={list.total}
        isSelectingAll={selection.selectAll.isPending}
        onSelectAll={() => selection.selectAll.mutate()}
        onDecide={decide}
        onCardNumbers={() => setDialog('cards')}
        onAssign={() => assign.mutate([...selection.selected.keys()])}
        onClear={selection.clear}
      />
      <DecisionDialog asked={asked} onClose={() => setAsked(null)} onDecided={settle} />
      <KeyList opened={dialog === 'keys'} isEnabled={hasKeys} onEnable={setHasKeys} onClose={close} />
      <Suspense fallback={<Loading />}>
        {dialog === 'file' && <DecisionsFileDialog onClose={close} />}
        {dialog === 'cards' && (
          <CardNumbersDialog movements={[...selection.selected.values()]} onDecided={settle} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
