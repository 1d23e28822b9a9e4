import { Anchor, Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Loading } from '../../components/state-view.tsx'
import { NumberValue, TextValue } from '../../components/value.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ImportStatusBadge } from './import-status.tsx'

type Import = Item<'listImports'>

const NewImport = lazy(() => import('./new-import.tsx'))
const refreshMilliseconds = 10_000

const columnsOf = (t: TFunction<['imports', 'terms']>): readonly Column<Import>[] => [
  {
    id: 'created-at',
    header: t('createdAt'),
    width: '9rem',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/imports/$importId" params={{ importId: one['import-id'] }} {...props} />}
      >
        <span translate="no">{formatTimestamp(one['created-at'])}</span>
      </Anchor>
    ),
  },
  {
    id: 'file',
    header: t('fileName'),
    width: 'minmax(7rem, 1.5fr)',
    cell: (one) => <TextValue value={one['file-name']} />,
  },
  {
    id: 'company',
    header: t('company'),
    width: 'minmax(7rem, 1fr)',
    cell: (one) => <TextValue value={one['company-name']} />,
  },
  {
    id: 'actor',
    header: t('author'),
    width: '8.5rem',
    cell: (one) => <TextValue value={one['actor-name']} />,
  },
  { id: 'kind', header: t('kind'), width: '7rem', cell: (one) => t(one['dry-run'] ? 'dryRun' : 'realImport') },
  { id: 'status', header: t('status'), width: '7.5rem', cell: (one) => <ImportStatusBadge status={one.status} /> },
  {
    id: 'lines',
    header: t('lines'),
    width: '4.5rem',
    isNumeric: true,
    cell: (one) => <NumberValue value={one.lines} />,
  },
  {
    id: 'accepted',
    header: t('accepted'),
    width: '5.5rem',
    isNumeric: true,
    cell: (one) => <NumberValue value={one.accepted} />,
  },
  {
    id: 'rejected',
    header: t('rejected'),
    width: '6.5rem',
    isNumeric: true,
    cell: (one) => <NumberValue value={one.rejected} />,
  },
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
