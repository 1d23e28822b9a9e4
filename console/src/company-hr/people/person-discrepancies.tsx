import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { PlainTable } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { usePermission } from '../../session/use-permission.ts'
import { differenceColumns } from '../discrepancies/columns.tsx'

/** What the files of carriers have otherwise of a person; nothing where they have the same, or where it is not shown. */
export function PersonDiscrepancies({ taxId, company }: { readonly taxId: string; readonly company: Company }) {
  const { t } = useTranslation(['reconciliations', 'hr', 'terms'])
  const mayRead = usePermission('listCompanyDiscrepancies')
  const seesMoney = usePermission('listInvoices')
  const query = useCompanyOperation(
    'listCompanyDiscrepancies',
    { query: { 'member-tax-id': taxId, 'company-tax-id': company['tax-id'], 'items-per-page': 100 } },
    { enabled: mayRead },
  )
  if (!mayRead) return null
  return (
    <QueryView query={query}>
      {({ result }) =>
        result.length > 0 && (
          <section>
            <SectionTitle>{t('reconciliations:discrepancies')}</SectionTitle>
            <PlainTable
              label={t('reconciliations:discrepancies')}
              miw="68rem"
              items={result}
              idOf={(one) => one['discrepancy-id']}
              columns={differenceColumns(t, seesMoney)}
            />
          </section>
        )
      }
    </QueryView>
  )
}
