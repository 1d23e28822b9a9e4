import { Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DialogButton } from '../../components/dialog.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { periodColumns } from '../../entities/payroll/period-columns.tsx'
import { businessDate } from '../../format/date.ts'
import { CompanyFilter, Filters } from '../../lists/filters.tsx'
import { listTable } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ExportDialog } from './export-dialog.tsx'
import { ExportTable } from './payroll-exports.tsx'

const route = getRouteApi('/shell/payroll')
const Table = listTable('listPayrollPeriods')

/** The months of a company's payroll, with what was exported of each, and the exports. */
export function PayrollPage() {
  const { t } = useTranslation('payroll')
  const { 'company-tax-id': taxId } = route.useSearch()
  const mayRead = usePermission('listPayrollPeriods')
  const mayExport = usePermission('createPayrollExport')
  const mayReadBalance = usePermission('readFinalBalance')
  const mayWrite = usePermission('putPayrollProfile')
  return (
    <>
      <PageHeader title={t('title')}>
        {taxId !== undefined && mayWrite && (
          <ButtonLink to="/payroll/$taxId/profile" params={{ taxId }} variant="default">
            {t('profile.title')}
          </ButtonLink>
        )}
        {taxId !== undefined && mayReadBalance && (
          <ButtonLink to="/payroll/$taxId/leavers" params={{ taxId }} variant="default">
            {t('leaving.title')}
          </ButtonLink>
        )}
        {taxId !== undefined && mayExport && (
          <DialogButton
            dialog={(close) => <ExportDialog taxId={taxId} firstMonth={businessDate().slice(0, 7)} onClose={close} />}
          >
            {t('export')}
          </DialogButton>
        )}
      </PageHeader>
      {mayRead ? (
        <Filters>
          <CompanyFilter label={t('company')} />
        </Filters>
      ) : (
        <Forbidden />
      )}
      {mayRead && (taxId === undefined ? <Text>{t('chooseCompany')}</Text> : <Payroll key={taxId} taxId={taxId} />)}
    </>
  )
}

function Payroll({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['payroll'])
  return (
    <>
      <Table
        label={t('payroll:months')}
        query={{ 'company-tax-id': taxId }}
        columns={periodColumns(t, (month, words) => (
          <TextLink to="/payroll/$taxId/$month" params={{ taxId, month }}>
            {words}
          </TextLink>
        ))}
        idOf={(period) => period['reference-month']}
        empty={t('payroll:noMonths')}
        maxHeight="50vh"
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t('payroll:heldHelp')}
      </Text>
      <Group mt="lg" mb="xs">
        <SectionTitle mb={0}>{t('payroll:exports')}</SectionTitle>
      </Group>
      <ExportTable taxId={taxId} />
    </>
  )
}
