import { Button, Title } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Loading } from '../../components/state-view.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { column, text, number } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ImportStatusBadge } from './import-status.tsx'

type Import = Item<'listImports'>

const NewImport = lazy(() => import('./new-import.tsx'))
const refreshMilliseconds = 10_000

const columnsOf = (t: TFunction<['imports', 'terms']>): readonly Column<Import>[] => [
  column(t('createdAt'), '9rem', (one) => (
    <TextLink to="/imports/$importId" params={{ importId: one['import-id'] }}>
      <span translate="no">{formatTimestamp(one['created-at'])}</span>
    </TextLink>
  )),
  text(t('fileName'), 'file-name', 'minmax(7rem, 1.5fr)'),
  text(t('company'), 'company-name', 'minmax(7rem, 1fr)'),
  text(t('author'), 'actor-name', '8.5rem'),
  column(t('kind'), '7rem', (one) => t(one['dry-run'] ? 'dryRun' : 'realImport')),
  column(t('status'), '7.5rem', (one) => <ImportStatusBadge status={one.status} />),
  number(t('lines'), 'lines', '4.5rem'),
  number(t('accepted'), 'accepted', '5.5rem'),
  number(t('rejected'), 'rejected', '6.5rem'),
]

/** A new import, and those there were, newest first. */
export function ImportsPage() {
  const { t } = useTranslation(['imports', 'terms'])
  const mayWrite = usePermission('importMembers')
  const [companyTaxId, setCompanyTaxId] = useState<string | null>(null)
  const ofCompany = companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }
  const list = usePagedList('listImports', {}, { refetchInterval: refreshMilliseconds })
  return (
    <>
      <PageHeader title={t('title')}>
        <Button
          component="a"
          variant="default"
          href="/operator/v1/member/import/template?language=pt-BR"
          download="modelo.csv"
        >
          {t('templatePortuguese')}
        </Button>
        <Button
          component="a"
          variant="default"
          href="/operator/v1/member/import/template?language=en"
          download="template.csv"
        >
          {t('templateEnglish')}
        </Button>
        <WorkbookButton fileName="modelo" read={(options) => api.imports.template(ofCompany, options)}>
          {t('templateExcel')}
        </WorkbookButton>
      </PageHeader>
      {mayWrite && (
        <Suspense fallback={<Loading />}>
          <NewImport companyTaxId={companyTaxId} onCompany={setCompanyTaxId} />
        </Suspense>
      )}
      <Title order={2} size="h4" mb="xs">
        {t('history')}
      </Title>
      <DataTable
        label={t('history')}
        columns={columnsOf(t)}
        list={list}
        idOf={(one) => one['import-id']}
        empty={t('empty')}
      />
    </>
  )
}
