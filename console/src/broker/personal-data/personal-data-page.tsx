import { Button, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { HoldList } from './hold-list.tsx'
import { RequestList } from './request-list.tsx'

const route = getRouteApi('/shell/personal-data')
const views = ['requests', 'holds'] as const

/** What people ask of their personal data, and of whom nothing may be deleted. */
export function PersonalDataPage() {
  const { t } = useTranslation(['personalData', 'erasure'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setCreating] = useState(false)
  const { view = 'requests' } = search
  return (
    <>
      <PageHeader title={t('personalData:title')}>
        <Button onClick={() => setCreating(true)}>
          {t(view === 'holds' ? 'erasure:hold.set' : 'personalData:create')}
        </Button>
      </PageHeader>
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) => void navigate({ search: next === 'holds' ? { view: 'holds' } : {}, replace: true })}
      >
        <Tabs.List mb="md">
          {views.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`personalData:views.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestList />
        </Tabs.Panel>
        <Tabs.Panel value="holds">
          <HoldList />
        </Tabs.Panel>
      </Tabs>
      <CreateDialog opened={isCreating && view === 'requests'} onClose={() => setCreating(false)} />
      {isCreating && view === 'holds' && <HoldDialog onClose={() => setCreating(false)} />}
    </>
  )
}
