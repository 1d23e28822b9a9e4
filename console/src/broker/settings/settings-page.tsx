import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { BrandForm } from './brand-form.tsx'
import { ReasonForm } from './reason-form.tsx'
import { RetentionPanel } from './retention-panel.tsx'

const route = getRouteApi('/shell/settings')

/** What is set for the whole installation. */
export function SettingsPage() {
  const { t } = useTranslation('settings')
  const { view = 'brand' } = route.useSearch()
  const navigate = route.useNavigate()
  const settings = useOperation('readSettings')
  const mayReadRetention = usePermission('readRetention')
  const views = ['brand', 'reasons', ...(mayReadRetention ? ['retention' as const] : [])] as const
  return (
    <>
      <PageHeader title={t('title')} />
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: { view: views.find((one) => one === next) ?? 'brand' }, replace: true })
        }
      >
        <Tabs.List mb="md">
          {views.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`views.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="brand">
          <QueryView query={settings}>{({ result }) => <BrandForm settings={result} />}</QueryView>
        </Tabs.Panel>
        <Tabs.Panel value="reasons">
          <QueryView query={settings}>{({ result }) => <ReasonForm settings={result} />}</QueryView>
        </Tabs.Panel>
        {mayReadRetention && (
          <Tabs.Panel value="retention">
            <RetentionPanel />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  )
}
