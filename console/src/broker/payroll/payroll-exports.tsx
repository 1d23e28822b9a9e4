import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { TextLink } from '../../components/link.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { exportColumns } from '../../entities/payroll/export-columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ExportDialog } from './export-dialog.tsx'

const fileOf = (exportId: string) => `/operator/v1/payroll-export/${exportId}/file`

/** The exports of a company; with a month, those of it. */
export function ExportTable({ taxId, month }: { readonly taxId: string; readonly month?: string }) {
  const { t } = useTranslation(['payroll'])
  const mayDownload = usePermission('readPayrollExportFile')
  const ofMonth = month === undefined ? {} : { 'reference-month': month }
  const list = usePagedList('listPayrollExports', { 'company-tax-id': taxId, ...ofMonth })
  if (list.total === 0) {
    return <Text size="sm">{t(month === undefined ? 'payroll:noExports' : 'payroll:none')}</Text>
  }
  return (
    <DataTable
      label={t('payroll:exports')}
      columns={exportColumns(t, {
        hasLayout: true,
        ...(mayDownload ? { fileOf } : {}),
        isOneMonth: month !== undefined,
      })}
      list={list}
      idOf={(one) => one['payroll-export-id']}
      maxHeight="40vh"
    />
  )
}

/** What payroll deducts for a month that is to be closed, or is: the files that were made, and a new one. */
export function PayrollExports(props: { readonly taxId: string; readonly month: string; readonly isOpen: boolean }) {
  const mayRead = usePermission('listPayrollExports')
  return mayRead && <Exports {...props} />
}

function Exports({ taxId, month, isOpen }: Parameters<typeof PayrollExports>[0]) {
  const { t } = useTranslation('payroll')
  const mayExport = usePermission('createPayrollExport')
  return (
    <>
      <Group mt="lg" mb="xs" justify="space-between">
        <SectionTitle mb={0}>{t('title')}</SectionTitle>
        {mayExport && !isOpen && (
          <DialogButton
            variant="default"
            dialog={(close) => <ExportDialog taxId={taxId} firstMonth={month} onClose={close} />}
          >
            {t('export')}
          </DialogButton>
        )}
      </Group>
      {isOpen && <Text size="sm">{t('closeFirst')}</Text>}
      <ExportTable taxId={taxId} month={month} />
      <TextLink to="/payroll" search={{ 'company-tax-id': taxId }} mt="xs" display="inline-block">
        {t('byMonth')}
      </TextLink>
    </>
  )
}
