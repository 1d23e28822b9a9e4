import { Menu, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { browserFilters, forgetBrowserFilters } from './browser-filters.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { ViewDialog } from './view-dialog.tsx'
import { type PutView, viewFiltersOf } from './view-filters.ts'
import { currentView, searchOfView, type View } from './view-tabs.tsx'

/** Every view of the team, also those that have no place as a tab, and what can be done with them. */
export function ViewMenu(props: {
  readonly search: QueueSearch
  readonly views: readonly View[]
  readonly onChoose: (search: QueueSearch) => void
}) {
  const { search, views, onChoose } = props
  const { t } = useTranslation('queue')
  const mayWrite = usePermission('putView')
  const [asked, setAsked] = useState<'create' | 'rename' | 'delete' | null>(null)
  const current = currentView(views, search)
  const filters = viewFiltersOf(search)
  const { put, share } = useViewWrites(onChoose)
  const close = () => {
    put.reset()
    setAsked(null)
  }
  const stored = mayWrite ? browserFilters() : []
  if (views.length === 0 && !mayWrite) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton className="tab">{t('views.menu')}</UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          {views.map((view) => (
            <Menu.Item key={view['view-id']} onClick={() => onChoose(searchOfView(view))}>
              <Value>{view.name}</Value>
            </Menu.Item>
          ))}
          {mayWrite && (
            <>
              {views.length > 0 && <Menu.Divider />}
              <Menu.Item onClick={() => setAsked('create')}>{t('views.create')}</Menu.Item>
              {current !== null && (
                <>
                  <Menu.Item
                    disabled={!current.isChanged}
                    onClick={() => put.mutate({ id: current.view['view-id'], name: current.view.name, filters })}
                  >
                    {t('views.update')}
                  </Menu.Item>
                  <Menu.Item onClick={() => setAsked('rename')}>{t('views.rename')}</Menu.Item>
                  <Menu.Item color="red" onClick={() => setAsked('delete')}>
                    {t('views.delete')}
                  </Menu.Item>
                </>
              )}
              {stored.length > 0 && (
                <Menu.Item onClick={() => share.mutate()}>{t('views.share', { count: stored.length })}</Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'create' && <ViewDialog put={put} view={{ id: null, name: '', filters }} onClose={close} />}
      {asked === 'rename' && current !== null && (
        <ViewDialog
          put={put}
          view={{ id: current.view['view-id'], name: current.view.name, filters: current.view.filters }}
          onClose={close}
        />
      )}
      {asked === 'delete' && current !== null && (
        <ActDialog
          action={t('views.delete')}
          isDestructive
          act={() => api.views.delete(current.view['view-id'])}
          done={t('views.deleted')}
          onClose={close}
        >
          {t('views.deleteText', { name: current.view.name })}
        </ActDialog>
      )}
    </>
  )
}

function useViewWrites(onChoose: (search: QueueSearch) => void) {
  const { t } = useTranslation('queue')
  const queryClient = useQueryClient()
  const read = () => queryClient.invalidateQueries({ queryKey: ['listViews'] })
  const putView = ({ id, name, filters }: PutView) =>
    api.views.put(id ?? crypto.randomUUID(), { area: 'queue', name, filters })
  return {
    put: useMutation({
      mutationFn: putView,
      onSuccess: async (view) => {
        await read()
        notifyDone(t('views.saved', { name: view.name }))
        onChoose(searchOfView(view))
      },
    }),
    /** The filters that this browser has become views of the team. */
    share: useMutation({
      mutationFn: async () => {
        for (const { name, filters } of browserFilters()) await putView({ id: null, name, filters })
        forgetBrowserFilters()
      },
      onSettled: read,
    }),
  }
}
