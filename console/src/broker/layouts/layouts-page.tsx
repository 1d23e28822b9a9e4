import { Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink, ButtonLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { column, timestamp, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { directions } from '../../entities/layouts/layout.ts'
import { layoutName, layoutSource } from '../../entities/layouts/built-in-words.ts'
import { listPage } from '../../lists/list-page.tsx'
import { useFilters } from '../../lists/filters.tsx'

const List = listPage('listLayouts')

/** The layouts of carriers' files. */
export function LayoutsPage() {
  const { t } = useTranslation('layouts')
  const { search, change } = useFilters()
  const mayWrite = usePermission('createLayout')
  return (
    <List
      title={t('title')}
      actions={mayWrite && <ButtonLink to="/carriers/layouts/new">{t('create')}</ButtonLink>}
      filters={
        <Group mb="md">
          <Select
            label={t('direction')}
            placeholder={t('anyDirection')}
            clearable
            clearButtonProps={{ 'aria-label': t('clearDirection') }}
            value={search.direction ?? null}
            data={directions.map((value) => ({ value, label: t(`directions.${value}`) }))}
            onChange={(value) => change({ direction: value ?? undefined })}
          />
        </Group>
      }
      columns={[
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
      ]}
      idOf={(layout) => layout['layout-id']}
    />
  )
}
