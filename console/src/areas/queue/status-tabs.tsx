import { ScrollArea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { NumberValue } from '../../components/value.tsx'
import { useSession } from '../../session/session.ts'
import { filterOf, type QueueSearch, type Tab, tabs } from './queue-search.ts'

const ended: readonly string[] = ['completed', 'rejected', 'cancelled']

/** The statuses with the number of movements that the other filters select. */
export const StatusTabs = memo(function StatusTabs({ search }: { readonly search: QueueSearch }) {
  const { t } = useTranslation(['queue', 'terms'])
  const me = useSession()?.['client-id'] ?? ''
  const { data } = useOperation('countEnrollments', { query: filterOf(search, me) }, { refetchInterval: 30_000 })
  const countOf = (tab: Tab) =>
    data?.result
      .filter((one) => tab === 'all' || (tab === 'open' ? !ended.includes(one.status) : tab === one.status))
      .reduce((sum, { count }) => sum + count, 0)
  return (
    <ScrollArea type="auto" offsetScrollbars="present" scrollbarSize={6} mb="sm">
      <nav className="queue-tabs" aria-label={t('queue:tabs.label')}>
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="/queue"
            search={({ status: _status, ...filters }) => (tab === 'open' ? filters : { ...filters, status: tab })}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {tab === 'open' || tab === 'all' ? t(`queue:tabs.${tab}`) : t(`terms:status.${tab}`)}{' '}
            <span className="count">
              <NumberValue value={countOf(tab)} />
            </span>
          </Link>
        ))}
      </nav>
    </ScrollArea>
  )
})
