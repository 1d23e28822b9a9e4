import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { NumberValue } from '../../components/value.tsx'
import { useSession } from '../../session/session.ts'
import { closedTabs, filterOf, type QueueSearch, type Tab, tabs } from '../../entities/queue/queue-search.ts'

const isClosed = (tab: string) => closedTabs.some((one) => one === tab)
const openTabs = tabs.filter((tab) => !isClosed(tab))

/** The statuses with the number of movements that the other filters select; the closed ones are in a menu. */
export const StatusTabs = memo(function StatusTabs({ search }: { readonly search: QueueSearch }) {
  const { t } = useTranslation('queue')
  const me = useSession()?.['client-id'] ?? ''
  const { data } = useOperation('countEnrollments', { query: filterOf(search, me) }, { refetchInterval: 30_000 })
  const countOf = (tab: Tab | 'closed') =>
    data?.result
      .filter(({ status }) => {
        if (tab === 'all') return true
        if (tab === 'open' || tab === 'closed') return isClosed(status) === (tab === 'closed')
        return tab === status
      })
      .reduce((sum, { count }) => sum + count, 0)
  const nameOf = (tab: Tab) => (tab === 'open' || tab === 'all' ? t(`tabs.${tab}`) : t(`status.${tab}`))
  const count = (tab: Tab | 'closed') => (
    <span className="count">
      <NumberValue value={countOf(tab)} />
    </span>
  )
  const { status } = search
  const closed = closedTabs.find((tab) => tab === status)
  return (
    <nav className="queue-tabs" aria-label={t('tabs.label')}>
      {openTabs.map((tab) => (
        <Link
          key={tab}
          to="/queue"
          search={({ status: _status, ...filters }) => (tab === 'open' ? filters : { ...filters, status: tab })}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {nameOf(tab)} {count(tab)}
        </Link>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton className="tab" data-current={closed !== undefined}>
            {closed === undefined ? t('tabs.closed') : nameOf(closed)} {count(closed ?? 'closed')}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {closedTabs.map((tab) => (
            <Menu.Item
              key={tab}
              renderRoot={(props) => (
                <Link to="/queue" search={(filters: QueueSearch) => ({ ...filters, status: tab })} {...props} />
              )}
            >
              {nameOf(tab)} {count(tab)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
})
