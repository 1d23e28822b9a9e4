import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { MonthField } from '../../entities/charges/month-field.tsx'
import { deductionColumns, idOfDeduction } from '../../entities/payroll/deduction-columns.tsx'
import { formatMonth } from '../../format/month.ts'
import { listTable } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/payroll/$taxId/$month')
const Table = listTable('listDeductions')

/** What the employees of a company owe for a month of cover. */
export function MonthPage() {
  const { t } = useTranslation(['payroll'])
  const { taxId, month } = route.useParams()
  const mayRead = usePermission('listDeductions')
  const seesPeople = usePermission('readAnyMember')
  const company = useOperation('readAnyCompany', { path: [taxId] }, { enabled: mayRead })
  return (
    <ObjectPage query={company} title={t('payroll:titleOfMonth', { month: formatMonth(month) })} mayRead={mayRead}>
      {({ result: { name } }) => (
        <>
          <PageHeader title={<Value>{t('payroll:titleOne', { month: formatMonth(month), company: name })}</Value>} />
          <Group mb="md" gap="lg" align="flex-end">
            <MonthField month={month} />
            <TextLink to="/payroll" search={{ 'company-tax-id': taxId }} pb={8}>
              {t('payroll:allMonths')}
            </TextLink>
          </Group>
          <Table
            label={t('payroll:deductions')}
            query={{ 'reference-month': month }}
            options={{ path: [taxId] }}
            columns={deductionColumns(t, ({ 'member-id': memberId, name: employee }) =>
              seesPeople ? (
                <TextLink to="/members/$memberId" params={{ memberId }} translate="no">
                  {employee}
                </TextLink>
              ) : (
                <Value>{employee}</Value>
              ),
            )}
            idOf={idOfDeduction}
            empty={t('payroll:noDeductions')}
          />
        </>
      )}
    </ObjectPage>
  )
}
