import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { LayoutForm } from './layout-form.tsx'

const route = getRouteApi('/shell/carriers/layouts/$layoutId/edit')

export function EditLayoutPage() {
  const { t } = useTranslation('layouts')
  const { layoutId } = route.useParams()
  const mayWrite = usePermission('putLayout')
  const layout = useOperation('readLayout', { path: [layoutId] }, { enabled: mayWrite })
  const name = layout.data?.result.name ?? ''
  return (
    <>
      <PageHeader title={<Value>{t('editTitle', { name })}</Value>} />
      {mayWrite ? (
        <QueryView query={layout}>
          {({ result }) => (
            <LayoutForm
              layoutId={layoutId}
              initialValues={{
                name: result.name,
                direction: result.direction,
                source: result.source ?? '',
                definition: result.definition,
                json: null,
              }}
            />
          )}
        </QueryView>
      ) : (
        <Forbidden />
      )}
    </>
  )
}
