import { useTranslation } from 'react-i18next'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { column, number, side, text } from '../../lists/columns.tsx'
import { RequestState } from '../../entities/requests/request-state.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('listRequests')

/** The requests of the company, newest first. */
export function RequestsPage() {
  const { t } = useTranslation(['request', 'terms'])
  return (
    <>
      <PageHeader title={t('title')} />
      <OfCompany>
        {(company) => (
          <Table
            label={t('title')}
            query={{ 'company-tax-id': company['tax-id'] }}
            options={{ client: companyApi, refetchInterval: 15_000 }}
            unit="requests"
            columns={[
              column(t('createdAt'), '9rem', (request) => (
                <TextLink to="/hr/requests/$requestId" params={{ requestId: request['request-id'] }} translate="no">
                  {formatTimestamp(request['created-at'])}
                </TextLink>
              )),
              column(t('type'), '7rem', (request) => t(typeTerm(request['request-type'], request['alteration-kind']))),
              side(t('status'), '12rem', (request) => <RequestState request={request} />),
              text(t('reference'), 'reference', 'minmax(10rem, 1fr)'),
              number(
                t('movements'),
                (request) => Object.values(request['enrollment-summary']).reduce((sum, count) => sum + count, 0),
                '9rem',
              ),
            ]}
            idOf={(request) => request['request-id']}
          />
        )}
      </OfCompany>
    </>
  )
}
