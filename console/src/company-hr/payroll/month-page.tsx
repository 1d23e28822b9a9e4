import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { MonthField } from '../../entities/charges/month-field.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { deductionColumns, idOfDeduction } from '../../entities/payroll/deduction-columns.tsx'
import { formatMonth } from '../../format/month.ts'
import { listTable } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/hr/payroll/$month')
const Table = listTable('listCompanyDeductions')

/** What the employees of the company owe for a month of cover. */
export function MonthPage() {
  const { t } = useTranslation(['payroll'])
  const { month } = route.useParams()
  const mayRead = usePermission('listCompanyDeductions')
  return (
    <>
      <PageHeader title={t('payroll:titleOfMonth', { month: formatMonth(month) })} />
      {!mayRead && <Forbidden />}
      {mayRead && (
        <OfCompany>
          {(company) => (
            <>
              <Group mb="md">
                <MonthField month={month} />
              </Group>
              <Table
                label={t('payroll:deductions')}
                query={{ 'reference-month': month }}
                options={{ path: [company['tax-id']], client: companyApi }}
                columns={deductionColumns(t, ({ 'member-id': memberId, name }) => (
                  <TextLink to="/hr/people/$memberId" params={{ memberId }} translate="no">
                    {name}
                  </TextLink>
                ))}
                idOf={idOfDeduction}
                empty={t('payroll:noDeductions')}
              />
            </>
          )}
        </OfCompany>
      )}
    </>
  )
}
