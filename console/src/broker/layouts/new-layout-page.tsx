import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { LayoutForm } from './layout-form.tsx'
import { layoutName, layoutSource } from '../../entities/layouts/built-in-words.ts'

const route = getRouteApi('/shell/carriers/layouts/new')

/** A new layout begins as a copy of another one: of the generic CSV where none is named. */
export function NewLayoutPage() {
  const { t } = useTranslation('layouts')
  const { copy = 'generic-csv' } = route.useSearch()
  const mayWrite = usePermission('createLayout')
  const original = useOperation('readLayout', { path: [copy] }, { enabled: mayWrite })
  return (
    <>
      <PageHeader title={t('newTitle')} />
      {mayWrite ? (
        <QueryView query={original}>
          {({ result }) => (
            <LayoutForm
              layoutId={null}
              initialValues={{
                name: t('copyName', { name: layoutName(result) }),
                direction: result.direction,
                source: layoutSource(result) ?? '',
                definition: JSON.stringify(result.definition, null, 2),
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
