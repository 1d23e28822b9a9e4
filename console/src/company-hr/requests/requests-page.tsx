import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { column, text, number } from '../../lists/columns.tsx'
import { RequestState } from './request-state.tsx'

type Request = Item<'listRequests'>

const columnsOf = (t: TFunction<['request', 'terms']>): readonly Column<Request>[] => [
  column(t('createdAt'), '9rem', (request) => (
    <TextLink to="/hr/requests/$requestId" params={{ requestId: request['request-id'] }} translate="no">
      {formatTimestamp(request['created-at'])}
    </TextLink>
  )),
  column(t('type'), '7rem', (request) => t(typeTerm(request['request-type'], request['alteration-kind']))),
  column(t('status'), '12rem', (request) => <RequestState request={request} />),
  text(t('reference'), 'reference', 'minmax(10rem, 1fr)'),
  number(
    t('movements'),
    (request) => Object.values(request['enrollment-summary']).reduce((sum, count) => sum + count, 0),
    '9rem',
  ),
]

/** The requests of the company, newest first. */
export function RequestsPage() {
  const { t } = useTranslation('request')
  return (
    <>
      <PageHeader title={t('title')} />
      <OfCompany>{(company) => <Requests company={company} />}</OfCompany>
    </>
  )
}

function Requests({ company }: { readonly company: Company }) {
  const { t } = useTranslation(['request', 'terms'])
  const list = usePagedList(
    'listRequests',
    { 'company-tax-id': company['tax-id'] },
    { client: companyApi, refetchInterval: 15_000 },
  )
  return (
    <DataTable
      label={t('title')}
      unit="requests"
      columns={columnsOf(t)}
      list={list}
      idOf={(request) => request['request-id']}
    />
  )
}
