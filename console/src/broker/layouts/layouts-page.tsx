import { Anchor, Button, Group, Select } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { directions } from './layout.ts'
import { layoutName, layoutSource } from './built-in-words.ts'

const route = getRouteApi('/shell/carriers/layouts')

const columnsOf = (t: TFunction<'layouts'>): readonly Column<Item<'listLayouts'>>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 'minmax(16rem, 1.5fr)',
    cell: (layout) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/carriers/layouts/$layoutId" params={{ layoutId: layout['layout-id'] }} {...props} />
        )}
      >
        <Value>{layoutName(layout)}</Value>
      </Anchor>
    ),
  },
  { id: 'direction', header: t('direction'), width: '14rem', cell: (layout) => t(`directions.${layout.direction}`) },
  { id: 'format', header: t('format'), width: '10rem', cell: (layout) => t(`formats.${layout.format}`) },
  { id: 'kind', header: t('kind'), width: '7rem', cell: (layout) => t(layout['built-in'] ? 'builtIn' : 'own') },
  {
    id: 'version',
    header: t('version'),
    width: '6rem',
    isNumeric: true,
    cell: ({ version }) => <Value>{version}</Value>,
  },
  {
    id: 'updatedAt',
    header: t('updatedAt'),
    width: '10rem',
    cell: (layout) => <TimestampValue value={layout['updated-at']} />,
  },
  {
    id: 'source',
    header: t('source'),
    width: 'minmax(12rem, 1fr)',
    cell: (layout) => <TextValue value={layoutSource(layout)} />,
  },
]

/** The layouts of carriers' files. */
export function LayoutsPage() {
  const { t } = useTranslation('layouts')
  const { direction } = route.useSearch()
  const navigate = useNavigate()
  const mayWrite = usePermission('createLayout')
  const list = usePagedList('listLayouts', direction === undefined ? {} : { direction })
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && (
          <Button renderRoot={(props) => <Link to="/carriers/layouts/new" {...props} />}>{t('create')}</Button>
        )}
      </PageHeader>
      <Group mb="md">
        <Select
          label={t('direction')}
          placeholder={t('anyDirection')}
          clearable
          clearButtonProps={{ 'aria-label': t('clearDirection') }}
          value={direction ?? null}
          data={directions.map((value) => ({ value, label: t(`directions.${value}`) }))}
          onChange={(value) =>
            void navigate({
              to: '/carriers/layouts',
              search: value === null ? {} : { direction: value },
              replace: true,
            })
          }
        />
      </Group>
      <DataTable label={t('title')} columns={columnsOf(t)} list={list} idOf={(layout) => layout['layout-id']} />
    </>
  )
}
