import { Button, Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CARRIER_FILE_KINDS } from '../../../../src/kernel/reconciliation.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Value } from '../../components/value.tsx'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { usePermission } from '../../session/use-permission.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { column, text, number, money, timestamp } from '../../lists/columns.tsx'
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
    column(t('reconciliations:file'), '8rem', (file) => (
      <TextLink to="/reconciliations/$fileId" params={{ fileId: file['file-id'] }}>
        {t(`terms:carrierFileKind.${file.kind}`)}
      </TextLink>
    )),
    text(t('reconciliations:month'), (file) => formatMonth(file['reference-month']), '7rem'),
    text(t('reconciliations:company'), 'company-name'),
    text(
      t('reconciliations:contract'),
      (file) => `${file['carrier-name']} · ${contractNumber(file)}`,
      'minmax(12.5rem, 1fr)',
    ),
    column(t('reconciliations:title'), '7.5rem', (file) => {
      const status = ofFile(file)?.status
      return status === undefined ? <Value>—</Value> : <ReconciliationStatusBadge status={status} />
    }),
    number(t('reconciliations:openOnes'), (file) => openOf(file), '6.25rem'),
    money(t('reconciliations:difference'), (file) => ofFile(file)?.discrepancy, '7.5rem'),
    column(t('reconciliations:reading'), '6.5rem', ({ status }) => <FileStatusBadge status={status} />),
    number(t('reconciliations:lines'), 'lines', '4.5rem'),
    money(t('reconciliations:declared'), 'declared-total'),
    money(t('reconciliations:computed'), 'computed-total'),
    timestamp(t('reconciliations:sentAt'), 'created-at', '9rem'),
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
