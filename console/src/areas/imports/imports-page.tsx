import { Anchor, Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable, PageHeader } from '../../components/data-table.tsx'
import { Loading } from '../../components/state-view.tsx'
import { NumberValue, TimestampValue } from '../../components/value.tsx'
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
    width: 'minmax(10rem, 1fr)',
    cell: (one) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/imports/$importId" params={{ importId: one['import-id'] }} {...props} />}
      >
        <span translate="no">{formatTimestamp(one['created-at'])}</span>
      </Anchor>
    ),
  },
  { id: 'kind', header: t('kind'), width: '9rem', cell: (one) => t(one['dry-run'] ? 'dryRun' : 'realImport') },
  { id: 'status', header: t('status'), width: '11rem', cell: (one) => <ImportStatusBadge status={one.status} /> },
  { id: 'lines', header: t('lines'), width: '8rem', isNumeric: true, cell: (one) => <NumberValue value={one.lines} /> },
  {
    id: 'accepted',
    header: t('accepted'),
    width: '8rem',
    isNumeric: true,
    cell: (one) => <NumberValue value={one.accepted} />,
  },
  {
    id: 'rejected',
    header: t('rejected'),
    width: '8rem',
    isNumeric: true,
    cell: (one) => <NumberValue value={one.rejected} />,
  },
  {
    id: 'finished-at',
    header: t('finishedAt'),
    width: '10rem',
    cell: (one) => <TimestampValue value={one['finished-at']} />,
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
