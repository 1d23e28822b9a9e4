import { Link } from '@tanstack/react-router'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { NumberValue, Value } from '../../components/value.tsx'
import { parseQueueSearch, type QueueSearch } from '../../entities/queue/queue-search.ts'
import { useSession } from '../../session/session.ts'
import { usePermission } from '../../session/use-permission.ts'
import { isSameView, viewFiltersOf } from './view-filters.ts'

export type View = Result<'listViews'>[number]

/** The filters of a view, as the address has them. */
export function searchOfView(view: View): QueueSearch {
  return parseQueueSearch({ ...view.filters, view: view['view-id'] })
}

/** The view that the address names, and whether its filters are others now. */
export function currentView(views: readonly View[], search: QueueSearch): { view: View; isChanged: boolean } | null {
  const view = views.find((one) => one['view-id'] === search.view)
  return view === undefined ? null : { view, isChanged: !isSameView(view.filters, viewFiltersOf(search)) }
}

/** What is assigned to who is signed in, due first: the view of everybody who decides. */
function MyQueue({ isCurrent }: { readonly isCurrent: boolean }) {
  const { t } = useTranslation('queue')
  const me = useSession()?.['client-id'] ?? ''
  const query = { status: 'open', assignee: me, page: 1, 'items-per-page': 1 } as const
  const { data } = useOperation('listEnrollmentQueue', { query }, { refetchInterval: 60_000 })
  return (
    <Link
      to="/queue"
      search={{ assignee: 'me' }}
      activeOptions={{ exact: true, includeSearch: true }}
      data-current={isCurrent}
    >
      {t('mine.title')}{' '}
      <span className="count">
        <NumberValue value={data?.pagination['total-items']} />
      </span>
    </Link>
  )
}

/** Every movement, the view of who is signed in, and those of the team. */
export function ViewTabs({ search, views }: { readonly search: QueueSearch; readonly views: readonly View[] }) {
  const { t } = useTranslation('queue')
  const current = currentView(views, search)
  const isMine = search.assignee === 'me'
  const isWorking = usePermission('moveEnrollment')
  if (views.length === 0 && !isWorking) return null
  return (
    <nav className="view-tabs" aria-label={t('views.title')}>
      <Link
        to="/queue"
        search={{}}
        activeOptions={{ exact: true, includeSearch: true }}
        data-current={current === null && !isMine}
      >
        {t('views.all')}
      </Link>
      {isWorking && <MyQueue isCurrent={current === null && isMine} />}
      {views.map((view) => {
        const isCurrent = view === current?.view
        return (
          <Link
            key={view['view-id']}
            to="/queue"
            search={searchOfView(view)}
            activeOptions={{ exact: true, includeSearch: true }}
            data-current={isCurrent}
            title={view.name}
            translate="no"
          >
            {view.name}
            {isCurrent && current?.isChanged && (
              <span title={t('views.changed')} translate="yes">
                <Value> *</Value>
              </span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
