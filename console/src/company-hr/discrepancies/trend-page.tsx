import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Empty, Forbidden, QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { TrendTable } from '../../entities/reconciliations/trend-table.tsx'
import { formatMonth } from '../../format/month.ts'
import { usePermission } from '../../session/use-permission.ts'

/** What was found in the invoices of the company in the last year, month by month. */
export function TrendPage() {
  const { t } = useTranslation('reconciliations')
  const mayRead = usePermission('listCompanyDiscrepancies')
  const seesMoney = usePermission('listInvoices')
  return (
    <>
      <PageHeader title={t('trend.title')} />
      {!mayRead || !seesMoney ? (
        <Forbidden />
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm" maw="60rem">
            {t('trend.meaning')}
          </Text>
          <OfCompany>{(company) => <Trend taxId={company['tax-id']} />}</OfCompany>
        </>
      )}
    </>
  )
}

function Trend({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const query = useCompanyOperation('readCompanyDiscrepancyTrend', { path: [taxId] })
  return (
    <QueryView query={query}>
      {({ result }) =>
        result.length === 0 ? (
          <Empty>{t('reconciliations:trend.none')}</Empty>
        ) : (
          <TrendTable
            items={result}
            group={t('reconciliations:class')}
            wordsOf={(item) => t(`terms:discrepancyClass.${item.class}`)}
            idOf={(item) => `${item['reference-month']} ${item.class}`}
            monthOf={(item) => (
              <TextLink
                to="/hr/discrepancies"
                search={{
                  kind: 'invoice',
                  class: item.class as 'amount-differs',
                  'reference-month': item['reference-month'],
                }}
              >
                <Value>{formatMonth(item['reference-month'])}</Value>
              </TextLink>
            )}
          />
        )
      }
    </QueryView>
  )
}
