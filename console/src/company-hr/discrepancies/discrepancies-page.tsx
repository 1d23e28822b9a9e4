import { useTranslation } from 'react-i18next'
import { COMPANY_CLASSES, DISCREPANCY_STATUSES, RECONCILIATION_KINDS } from '../../../../src/kernel/reconciliation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { ChoiceFilter, Filters, MonthFilter, useFilters } from '../../lists/filters.tsx'
import { listTable } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { differenceColumns, personColumn } from './columns.tsx'

const Table = listTable('listCompanyDiscrepancies')

/** What differs between the files of the carriers and what is here, to read. */
export function DiscrepanciesPage() {
  const { t } = useTranslation(['reconciliations', 'hr', 'terms'])
  const { search } = useFilters()
  const seesMoney = usePermission('listInvoices')
  const title = t('reconciliations:discrepancies')
  return (
    <>
      <PageHeader title={title}>
        {seesMoney && (
          <ButtonLink to="/hr/discrepancies/trend" variant="default">
            {t('reconciliations:trend.link')}
          </ButtonLink>
        )}
      </PageHeader>
      <OfCompany>
        {(company) => (
          <>
            <DiscrepancyFilters seesMoney={seesMoney} />
            <Table
              label={title}
              query={{ ...search, 'company-tax-id': company['tax-id'] }}
              options={{ client: companyApi }}
              columns={[personColumn(t), ...differenceColumns(t, seesMoney)]}
              idOf={(one) => one['discrepancy-id']}
              empty={t('reconciliations:noDiscrepancy')}
            />
          </>
        )}
      </OfCompany>
    </>
  )
}

function DiscrepancyFilters({ seesMoney }: { readonly seesMoney: boolean }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const any = t('reconciliations:any')
  return (
    <Filters>
      {seesMoney && (
        <ChoiceFilter
          name="kind"
          label={t('reconciliations:file')}
          any={any}
          data={RECONCILIATION_KINDS.map((value) => ({ value, label: t(`terms:carrierFileKind.${value}`) }))}
        />
      )}
      <ChoiceFilter
        name="class"
        label={t('reconciliations:class')}
        any={any}
        data={COMPANY_CLASSES.map((value) => ({ value, label: t(`terms:discrepancyClass.${value}`) }))}
      />
      <ChoiceFilter
        name="status"
        label={t('reconciliations:status')}
        any={any}
        data={DISCREPANCY_STATUSES.map((value) => ({ value, label: t(`terms:discrepancyStatus.${value}`) }))}
      />
      <MonthFilter
        label={t('reconciliations:month')}
        placeholder={t('reconciliations:monthPlaceholder')}
        invalid={t('reconciliations:invalidMonth')}
      />
    </Filters>
  )
}
