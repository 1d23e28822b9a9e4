import { Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden, QueryView } from '../../components/state-view.tsx'
import { layoutName, layoutSource } from '../../entities/layouts/built-in-words.ts'
import { usePermission } from '../../session/use-permission.ts'
import { LayoutForm } from './layout-form.tsx'
import { emptyDefinition } from './sample.ts'

const route = getRouteApi('/shell/carriers/layouts/new')

/** A new layout, from a file that the carrier sent or as a copy of another one. */
export function NewLayoutPage() {
  const { t } = useTranslation('layouts')
  const { copy } = route.useSearch()
  const mayWrite = usePermission('createLayout')
  const original = useOperation('readLayout', { path: [copy ?? ''] }, { enabled: mayWrite && copy !== undefined })
  if (!mayWrite) {
    return (
      <>
        <PageHeader title={t('newTitle')} />
        <Forbidden />
      </>
    )
  }
  return (
    <>
      <PageHeader title={t('newTitle')} />
      <Original copy={copy} />
      {copy === undefined ? (
        <LayoutForm
          layoutId={null}
          initialValues={{
            name: '',
            direction: 'roster',
            source: '',
            definition: emptyDefinition('roster', 'csv'),
            json: null,
          }}
        />
      ) : (
        <QueryView query={original}>
          {({ result }) => (
            <LayoutForm
              key={copy}
              layoutId={null}
              initialValues={{
                name: t('copyName', { name: layoutName(result) }),
                direction: result.direction,
                source: layoutSource(result) ?? '',
                definition: result.definition,
                json: null,
              }}
            />
          )}
        </QueryView>
      )}
    </>
  )
}

/** The layout that the new one begins as. */
function Original({ copy }: { readonly copy: string | undefined }) {
  const { t } = useTranslation('layouts')
  const navigate = route.useNavigate()
  const layouts = useOperation('listLayouts', { query: { 'items-per-page': 500 } }).data?.result ?? []
  return (
    <Select
      maw="30rem"
      mb="md"
      label={t('beginAs')}
      placeholder={t('beginEmpty')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('beginEmpty') }}
      attributes={{ option: { translate: 'no' }, input: { translate: 'no' } }}
      data={layouts.map((layout) => ({ value: layout['layout-id'], label: layoutName(layout) }))}
      value={layouts.some((layout) => layout['layout-id'] === copy) ? (copy ?? null) : null}
      onChange={(value) => void navigate({ search: value === null ? {} : { copy: value }, ignoreBlocker: true })}
    />
  )
}
