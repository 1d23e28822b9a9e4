import './queue.css'
import { Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useContext, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { PageHelp } from '../../components/page-help.ts'
import { usePageTitle } from '../../components/page-title.ts'
import { Loading } from '../../components/state-view.tsx'
import { type AskedDecision, DecisionDialog } from '../../entities/decisions/decision-dialog.tsx'
import { QueueActions, type QueueDialog } from './queue-actions.tsx'
import { KeyList } from './key-list.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { usePresenceOfOthers } from '../../entities/queue/presence.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { type Asked, QueueTable } from './queue-table.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { ViewMenu } from './view-menu.tsx'
import { ViewTabs } from './view-tabs.tsx'

const ColumnDialog = lazy(() => import('./column-dialog.tsx'))
const CardNumbersDialog = lazy(() => import('./card-numbers-dialog.tsx'))
const DueCutOffs = lazy(() => import('./due-cut-offs.tsx'))
const DecisionsFileDialog = lazy(() => import('./decisions-file-dialog.tsx'))

const route = getRouteApi('/shell/queue')

/** The movements to decide on. */
export function QueuePage() {
  const { t } = useTranslation(['queue', 'states'])
  usePageTitle(t('queue:title'))
  const navigate = useNavigate()
  const search = route.useSearch()
  usePresenceOfOthers()
  const views = useOperation('listViews', { query: { area: 'queue' } }).data?.result ?? []
  const [asked, setAsked] = useState<Asked | null>(null)
  const [dialog, setDialog] = useState<QueueDialog | null>(null)
  const [hasKeys, setHasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const searchInput = useRef<HTMLInputElement>(null)
  const show = useCallback((next: QueueSearch) => void navigate({ to: '/queue', search: next }), [navigate])
  const help = useCallback(() => setDialog('keys'), [])
  const close = () => setDialog(null)
  const leave = () => setAsked(null)
  return (
    <>
      <div className="queue-header">
        <Text component="h1" fz="1.25rem" fw={600} tabIndex={-1}>
          {t('queue:title')}
        </Text>
        {useContext(PageHelp)}
        <div className="view-bar no-print">
          <ViewTabs search={search} views={views} />
          <ViewMenu search={search} views={views} onChoose={show} />
        </div>
        <QueueActions search={search} onOpen={setDialog} />
      </div>
      <StatusTabs search={search} />
      {search.assignee === 'me' && (
        <Suspense>
          <DueCutOffs />
        </Suspense>
      )}
      <QueueFilters search={search} searchInput={searchInput} onChange={show} />
      <QueueTable search={search} searchInput={searchInput} hasKeys={hasKeys} onAsk={setAsked} onHelp={help} />
      <DecisionDialog
        asked={isDecision(asked) ? asked : null}
        onClose={leave}
        onDecided={(outcomes) => asked?.onDecided(outcomes)}
      />
      <KeyList opened={dialog === 'keys'} isEnabled={hasKeys} onEnable={setHasKeys} onClose={close} />
      <Suspense fallback={<Loading />}>
        {dialog === 'columns' && <ColumnDialog onClose={close} />}
        {dialog === 'file' && <DecisionsFileDialog onClose={close} />}
        {asked?.target === 'card-numbers' && (
          <CardNumbersDialog movements={asked.movements} onDecided={asked.onDecided} onClose={leave} />
        )}
      </Suspense>
    </>
  )
}

function isDecision(asked: Asked | null): asked is Asked & AskedDecision {
  return asked !== null && asked.target !== 'card-numbers'
}
