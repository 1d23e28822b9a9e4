import { Anchor, Button, Group } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CARRIER_FILE_KINDS } from '../../../../src/kernel/reconciliation.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { MoneyValue, NumberValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { usePermission } from '../../session/use-permission.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { type Reconciliation } from './reconciliation.ts'
import type { FilesSearch } from './search.ts'
import { FileStatusBadge, ReconciliationStatusBadge } from './status-badges.tsx'
import { UploadDialog } from './upload-dialog.tsx'

const route = getRouteApi('/shell/reconciliations')

type CarrierFile = Item<'listCarrierFiles'>

const columnsOf = (
  t: TFunction<['reconciliations', 'terms']>,
  reconciliations: ReadonlyMap<string, Reconciliation>,
): readonly Column<CarrierFile>[] => {
  const ofFile = (file: CarrierFile) => reconciliations.get(file['file-id'])
  const openOf = (file: CarrierFile) => ofFile(file)?.counts.reduce((sum, { open }) => sum + open, 0)
  return [
    {
      id: 'kind',
      header: t('reconciliations:file'),
      width: '8rem',
      cell: (file) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/reconciliations/$fileId" params={{ fileId: file['file-id'] }} {...props} />}
        >
          {t(`terms:carrierFileKind.${file.kind}`)}
        </Anchor>
      ),
    },
    {
      id: 'month',
      header: t('reconciliations:month'),
      width: '7rem',
      cell: (file) => <Value>{formatMonth(file['reference-month'])}</Value>,
    },
    {
      id: 'company',
      header: t('reconciliations:company'),
      width: 'minmax(9rem, 1fr)',
      cell: (file) => <TextValue value={file['company-name']} />,
    },
    {
      id: 'contract',
      header: t('reconciliations:contract'),
      width: 'minmax(12.5rem, 1fr)',
      cell: (file) => <Value>{`${file['carrier-name']} · ${contractNumber(file)}`}</Value>,
    },
    {
      id: 'reconciliation',
      header: t('reconciliations:title'),
      width: '7.5rem',
      cell: (file) => {
        const status = ofFile(file)?.status
        return status === undefined ? <Value>—</Value> : <ReconciliationStatusBadge status={status} />
      },
    },
    {
      id: 'open',
      header: t('reconciliations:openOnes'),
      width: '6.25rem',
      isNumeric: true,
      cell: (file) => <NumberValue value={openOf(file)} />,
    },
    {
      id: 'difference',
      header: t('reconciliations:difference'),
      width: '7.5rem',
      isNumeric: true,
      cell: (file) => <MoneyValue value={ofFile(file)?.discrepancy} />,
    },
    {
      id: 'status',
      header: t('reconciliations:reading'),
      width: '6.5rem',
      cell: ({ status }) => <FileStatusBadge status={status} />,
    },
    {
      id: 'lines',
      header: t('reconciliations:lines'),
      width: '4.5rem',
      isNumeric: true,
      cell: (file) => <NumberValue value={file.lines} />,
    },
    {
      id: 'declared',
      header: t('reconciliations:declared'),
      width: '8rem',
      isNumeric: true,
      cell: (file) => <MoneyValue value={file['declared-total']} />,
    },
    {
      id: 'computed',
      header: t('reconciliations:computed'),
      width: '8rem',
      isNumeric: true,
      cell: (file) => <MoneyValue value={file['computed-total']} />,
    },
    {
      id: 'created',
      header: t('reconciliations:sentAt'),
      width: '9rem',
      cell: (file) => <TimestampValue value={file['created-at']} />,
    },
  ]
}

/** The files of carriers by contract and month, with what their comparisons found. */
export function ReconciliationsPage() {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayUpload = usePermission('uploadCarrierFile')
  const [isUploading, setUploading] = useState(false)
  const list = usePagedList('listCarrierFiles', search)
  const { kind, ...filters } = search
  const { data } = useOperation('listReconciliations', {
    query: { ...filters, ...(kind === undefined || kind === 'coparticipation' ? {} : { kind }), 'items-per-page': 500 },
  })
  const reconciliations = new Map((data?.result ?? []).map((one) => [one['carrier-file-id'], one]))
  const change = (part: { readonly [Name in keyof FilesSearch]: FilesSearch[Name] | undefined | null }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value != null)
    void navigate({ search: Object.fromEntries(next) as FilesSearch, replace: true })
  }
  const month = search['reference-month']
  return (
    <>
      <PageHeader title={t('reconciliations:title')}>
        {mayUpload && <Button onClick={() => setUploading(true)}>{t('reconciliations:upload')}</Button>}
      </PageHeader>
      <Group mb="md" align="flex-end">
        <CompanySelect
          label={t('reconciliations:company')}
          value={search['company-tax-id'] ?? null}
          onChange={(taxId) => change({ 'company-tax-id': taxId })}
        />
        <Choice
          label={t('reconciliations:file')}
          any={t('reconciliations:any')}
          value={kind}
          onChange={(value) => change({ kind: value })}
          data={CARRIER_FILE_KINDS.map((value) => ({ value, label: t(`terms:carrierFileKind.${value}`) }))}
        />
        <SearchField
          label={t('reconciliations:month')}
          placeholder={t('reconciliations:monthPlaceholder')}
          value={month === undefined ? undefined : formatMonth(month)}
          errorOf={(text) => (parseMonth(text) === null ? t('reconciliations:invalidMonth') : null)}
          onChange={(text) => change({ 'reference-month': parseMonth(text ?? '')?.start.slice(0, 7) })}
        />
      </Group>
      <DataTable
        label={t('reconciliations:files')}
        columns={columnsOf(t, reconciliations)}
        list={list}
        idOf={(file) => file['file-id']}
        empty={t('reconciliations:empty')}
      />
      {isUploading && <UploadDialog search={search} onClose={() => setUploading(false)} />}
    </>
  )
}
