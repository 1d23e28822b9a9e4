import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { AgeingList } from './ageing-list.tsx'
import { DeadlineList } from './deadline-list.tsx'
import { DraftList } from './draft-list.tsx'
import type { DeadlinesSearch } from './search.ts'

const route = getRouteApi('/shell/deadlines')
const views = ['deadlines', 'ageing', 'drafts'] as const

/** What is due: the deadlines of movements, dependents who become too old, exclusions that the clock proposes. */
export function DeadlinesPage() {
  const { t } = useTranslation('deadlines')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: { readonly [Name in keyof DeadlinesSearch]: string | null }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null)
    void navigate({ search: Object.fromEntries(next) as DeadlinesSearch, replace: true })
  }
  return (
    <>
      <PageHeader title={t('title')} />
      <Tabs
        value={search.view ?? 'deadlines'}
        keepMounted={false}
        onChange={(view) =>
          change({ view: view === 'deadlines' ? null : view, kind: null, days: null, assignee: null })
        }
      >
        <Tabs.List mb="md">
          {views.map((view) => (
            <Tabs.Tab key={view} value={view}>
              {t(`views.${view}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="deadlines">
          <DeadlineList search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="ageing">
          <AgeingList search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="drafts">
          <DraftList search={search} onChange={change} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
