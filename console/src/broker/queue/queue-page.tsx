import './queue.css'
import { Button, Group, Popover, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, type MouseEvent, Suspense, useCallback, useContext, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { PageHelp } from '../../components/page-help.ts'
import { usePageTitle } from '../../components/page-title.ts'
import { Loading } from '../../components/state-view.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { type AskedDecision, DecisionDialog } from '../../entities/decisions/decision-dialog.tsx'
import { NewMovementLink } from '../../entities/movement-forms/new-movement-link.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ColumnMenu } from './column-choice.tsx'
import { JobsLink } from './jobs-link.tsx'
import { KeyList } from './key-list.tsx'
import { QueueFilters } from './queue-filters.tsx'
import { usePresenceOfOthers } from '../../entities/queue/presence.ts'
import { exportQueryOf, type QueueSearch } from '../../entities/queue/queue-search.ts'
import { type Asked, QueueTable } from './queue-table.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { ViewMenu } from './view-menu.tsx'
import { ViewTabs } from './view-tabs.tsx'

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
  const me = useSession()?.['client-id'] ?? ''
  usePresenceOfOthers()
  const mayWrite = usePermission('moveEnrollment')
  const views = useOperation('listViews', { query: { area: 'queue' } }).data?.result ?? []
  const [asked, setAsked] = useState<Asked | null>(null)
  const [dialog, setDialog] = useState<'keys' | 'file' | null>(null)
  const [hasKeys, setHasKeys] = useLocalStorage({ key: 'vigencia-queue-keys', defaultValue: true })
  const searchInput = useRef<HTMLInputElement>(null)
  const show = useCallback((next: QueueSearch) => void navigate({ to: '/queue', search: next }), [navigate])
  const help = useCallback(() => setDialog('keys'), [])
  const close = () => setDialog(null)
  const leave = () => setAsked(null)
  const query = new URLSearchParams(
    Object.entries(exportQueryOf(search, me)).map(([name, value]) => [name, String(value)]),
  )
  return (
    <>
      <div className="queue-header">
        <Text component="h1" fz="1.25rem" fw={600} tabIndex={-1}>
          {t('queue:title')}
        </Text>
        {useContext(PageHelp)}
        <ViewTabs search={search} views={views} />
        <Group gap="xs" className="no-print">
          <NewMovementLink size="xs" />
          <ViewMenu search={search} views={views} onChoose={show} />
          <ColumnMenu />
          <JobsLink />
          {mayWrite && (
            <Button variant="default" size="xs" onClick={() => setDialog('file')}>
              {t('queue:file.title')}
            </Button>
          )}
          <Popover position="bottom-end">
            <Popover.Target>
              <Button variant="default" size="xs">
                {t('queue:exportTitle')}
              </Button>
            </Popover.Target>
            <Popover.Dropdown aria-label={t('queue:exportTitle')}>
              <Stack gap="xs">
                <Button
                  variant="default"
                  size="xs"
                  component="a"
                  href={`/operator/v1/enrollment/export?${query}`}
                  // Enter opens the marked row, not this link again.
                  onClick={({ currentTarget }: MouseEvent<HTMLElement>) => currentTarget.blur()}
                  download={`${t('queue:exportName')}-${saoPauloDay()}.csv`}
                >
                  {t('states:export')}
                </Button>
                <WorkbookButton
                  size="xs"
                  fileName={`${t('queue:exportName')}-${saoPauloDay()}`}
                  read={(options) => api.enrollments.export(exportQueryOf(search, me), options)}
                >
                  {t('states:exportExcel')}
                </WorkbookButton>
              </Stack>
            </Popover.Dropdown>
          </Popover>
          <Button variant="default" size="xs" onClick={help}>
            {t('queue:keys.title')}
          </Button>
        </Group>
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
