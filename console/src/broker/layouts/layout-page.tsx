import './layouts.css'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { ButtonLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { FilePreview } from './file-preview.tsx'
import type { Layout } from '../../entities/layouts/layout.ts'
import { MovementPreview } from './movement-preview.tsx'
import { RecordTable } from './record-table.tsx'
import { layoutName, layoutSource } from '../../entities/layouts/built-in-words.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/carriers/layouts/$layoutId')

export function LayoutPage() {
  const { t } = useTranslation('layouts')
  const { layoutId } = route.useParams()
  const layout = useOperation('readLayout', { path: [layoutId] })
  return (
    <ObjectPage query={layout} title={t('title')}>
      {({ result }) => <LayoutView layout={result} />}
    </ObjectPage>
  )
}

function LayoutView({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const mayPreview = usePermission('previewLayout')
  return (
    <>
      <PageHeader title={<Value>{layoutName(layout)}</Value>}>
        <LayoutActions layout={layout} />
      </PageHeader>
      <LayoutFacts layout={layout} />
      {mayPreview && layout.direction !== 'payroll' && (
        <>
          <SectionTitle mt="lg">{t('preview')}</SectionTitle>
          {layout.direction === 'movement' ? <MovementPreview layout={layout} /> : <FilePreview layout={layout} />}
        </>
      )}
      <SectionTitle mt="lg">{t('records')}</SectionTitle>
      {layout.definition.records.map((record) => (
        <RecordTable key={record.name} record={record} layout={layout} />
      ))}
      <RawView value={layout.definition} />
    </>
  )
}

function LayoutActions({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const mayWrite = usePermission('putLayout')
  if (!mayWrite) return null
  return (
    <>
      <ButtonLink to="/carriers/layouts/new" search={{ copy: layout['layout-id'] }} variant="default">
        {t('copy')}
      </ButtonLink>
      {!layout['built-in'] && (
        <ButtonLink to="/carriers/layouts/$layoutId/edit" params={{ layoutId: layout['layout-id'] }}>
          {t('edit')}
        </ButtonLink>
      )}
    </>
  )
}

function LayoutFacts({ layout }: { readonly layout: Layout }) {
  const { t } = useTranslation('layouts')
  const { encoding, separator, 'record-length': length } = layout.definition
  return (
    <FactList
      facts={[
        fact(t('direction'), t(`directions.${layout.direction}`)),
        fact(t('format'), t(`formats.${layout.format}`)),
        fact(t('kind'), t(layout['built-in'] ? 'builtIn' : 'own')),
        fact(t('version'), <Value>{layout.version}</Value>),
        encoding !== undefined && fact(t('encoding'), <Value>{encoding}</Value>),
        separator !== undefined && fact(t('separator'), <Value>{separator}</Value>),
        length !== undefined && fact(t('recordLength'), <Value>{length}</Value>),
        fact(t('updatedAt'), <TimestampValue value={layout['updated-at']} />),
        fact(t('source'), <TextValue value={layoutSource(layout)} />),
      ]}
    />
  )
}
