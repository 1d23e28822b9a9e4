import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { exportColumns } from '../../entities/payroll/export-columns.tsx'
import { periodColumns } from '../../entities/payroll/period-columns.tsx'
import { listTable } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'

const Table = listTable('listCompanyPayrollPeriods')

/** The months of the payroll of the company, and the files for it. */
export function PayrollPage() {
  const { t } = useTranslation('payroll')
  const mayRead = usePermission('listCompanyDeductions')
  return (
    <>
      <PageHeader title={t('title')} />
      {mayRead ? <OfCompany>{(company) => <Payroll taxId={company['tax-id']} />}</OfCompany> : <Forbidden />}
    </>
  )
}

function Payroll({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['payroll'])
  return (
    <>
      <Table
        label={t('payroll:months')}
        options={{ path: [taxId], client: companyApi }}
        columns={periodColumns(t, (month, words) => (
          <TextLink to="/hr/payroll/$month" params={{ month }}>
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
      <SectionTitle mt="lg">{t('payroll:exports')}</SectionTitle>
      <Exports taxId={taxId} />
    </>
  )
}

function Exports({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['payroll'])
  const list = usePagedList('listCompanyPayrollExports', {}, { path: [taxId], client: companyApi })
  if (list.total === 0) return <Text size="sm">{t('payroll:noExports')}</Text>
  return (
    <DataTable
      label={t('payroll:exports')}
      columns={exportColumns(t, {
        fileOf: (exportId) => `/v1/company/${taxId}/payroll-export/${exportId}/file`,
      })}
      list={list}
      idOf={(one) => one['payroll-export-id']}
      maxHeight="40vh"
    />
  )
}
