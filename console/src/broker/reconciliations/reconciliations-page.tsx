import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { CARRIER_FILE_KINDS } from '../../../../src/kernel/reconciliation.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { Absent } from '../../components/value.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { column, money, number, side, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, MonthFilter } from '../../lists/filters.tsx'
import { present } from '../../lists/search.ts'
import { listPage } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { FileStatusBadge, ReconciliationStatusBadge } from './status-badges.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const List = listPage('listCarrierFiles')
const route = getRouteApi('/shell/reconciliations')

/** The files of carriers by contract and month, with what their comparisons found. */
export function ReconciliationsPage() {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const mayUpload = usePermission('uploadCarrierFile')
  const search = route.useSearch()
  const comparisonOf = useComparisons()
  const openOf = (file: Item<'listCarrierFiles'>) => comparisonOf(file)?.counts.reduce((sum, { open }) => sum + open, 0)
  return (
    <List
      title={t('reconciliations:title')}
      actions={
        <>
          <ButtonLink
            to="/reconciliations/trend"
            search={present({ 'company-tax-id': search['company-tax-id'], 'contract-id': search['contract-id'] })}
            variant="default"
          >
            {t('reconciliations:trend.link')}
          </ButtonLink>
          {mayUpload && (
            <DialogButton dialog={(close) => <UploadDialog search={search} onClose={close} />}>
              {t('reconciliations:upload')}
            </DialogButton>
          )}
        </>
      }
      filters={
        <Group mb="md" align="flex-end">
          <CompanyFilter label={t('reconciliations:company')} />
          <ChoiceFilter
            name="kind"
            label={t('reconciliations:file')}
            any={t('reconciliations:any')}
            data={CARRIER_FILE_KINDS.map((value) => ({ value, label: t(`terms:carrierFileKind.${value}`) }))}
          />
          <MonthFilter
            label={t('reconciliations:month')}
            placeholder={t('reconciliations:monthPlaceholder')}
            invalid={t('reconciliations:invalidMonth')}
          />
        </Group>
      }
      label={t('reconciliations:files')}
      columns={[
        column(t('reconciliations:file'), 'minmax(12.5rem, 1fr)', (file) => (
          <>
            <TextLink to="/reconciliations/$fileId" params={{ fileId: file['file-id'] }}>
              {t(`terms:carrierFileKind.${file.kind}`)}
              {file['invoice-kind'] === 'supplementary' && ` · ${t('terms:invoiceKind.supplementary')}`}
            </TextLink>
            {file['replaced-by'] !== null && ` · ${t('reconciliations:isReplaced')}`}
          </>
        )),
        text(t('reconciliations:month'), (file) => formatMonth(file['reference-month']), '7rem'),
        text(t('reconciliations:company'), 'company-name'),
        text(
          t('reconciliations:contract'),
          (file) => `${file['carrier-name']} · ${contractNumber(file)}`,
          'minmax(12.5rem, 1fr)',
        ),
        column(t('reconciliations:title'), '7.5rem', (file) => {
          const status = comparisonOf(file)?.status
          return status === undefined ? <Absent /> : <ReconciliationStatusBadge status={status} />
        }),
        number(t('reconciliations:openOnes'), openOf, '6.25rem'),
        money(t('reconciliations:difference'), (file) => comparisonOf(file)?.discrepancy, '7.5rem'),
        side(t('reconciliations:reading'), '6.5rem', ({ status }) => <FileStatusBadge status={status} />),
        number(t('reconciliations:lines'), 'lines', '4.5rem'),
        money(t('reconciliations:declared'), 'declared-total'),
        money(t('reconciliations:computed'), 'computed-total'),
        timestamp(t('reconciliations:sentAt'), 'created-at', '9rem'),
      ]}
      idOf={(file) => file['file-id']}
      empty={t('reconciliations:empty')}
    ></List>
  )
}

/** The comparisons of the files that the filters select, by file. */
function useComparisons() {
  const { kind, ...filters } = route.useSearch()
  const { data } = useOperation('listReconciliations', {
    query: { ...filters, ...(kind === undefined || kind === 'coparticipation' ? {} : { kind }), 'items-per-page': 500 },
  })
  const found = new Map((data?.result ?? []).map((one) => [one['carrier-file-id'], one]))
  return (file: Item<'listCarrierFiles'>) => found.get(file['file-id'])
}
