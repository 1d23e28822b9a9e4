import { Group, Select } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { column, timestamp, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { directions } from './layout.ts'
import { layoutName, layoutSource } from './built-in-words.ts'

const route = getRouteApi('/shell/carriers/layouts')

const columnsOf = (t: TFunction<'layouts'>): readonly Column<Item<'listLayouts'>>[] => [
  column(t('name'), 'minmax(16rem, 1.5fr)', (layout) => (
    <TextLink to="/carriers/layouts/$layoutId" params={{ layoutId: layout['layout-id'] }}>
      <Value>{layoutName(layout)}</Value>
    </TextLink>
  )),
  column(t('direction'), '14rem', (layout) => t(`directions.${layout.direction}`)),
  column(t('format'), '10rem', (layout) => t(`formats.${layout.format}`)),
  column(t('kind'), '7rem', (layout) => t(layout['built-in'] ? 'builtIn' : 'own')),
  {
    id: 'version',
    header: t('version'),
    width: '6rem',
    isNumeric: true,
    cell: ({ version }) => <Value>{version}</Value>,
  },
  timestamp(t('updatedAt'), 'updated-at', '10rem'),
  text(t('source'), (layout) => layoutSource(layout), 'minmax(12rem, 1fr)'),
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
        {mayWrite && <ButtonLink to="/carriers/layouts/new">{t('create')}</ButtonLink>}
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
