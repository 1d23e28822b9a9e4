import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Company, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { companyApi } from '../../entities/company-hr/client.ts'
import { OfCompany } from '../../entities/company-hr/of-company.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NumberValue, TextValue } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { RequestState } from './request-state.tsx'

type Request = Item<'listRequests'>

const columnsOf = (t: TFunction<['request', 'terms']>): readonly Column<Request>[] => [
  {
    id: 'created-at',
    header: t('createdAt'),
    width: '9rem',
    cell: (request) => (
      <Anchor
        size="sm"
        translate="no"
        renderRoot={(props) => (
          <Link to="/hr/requests/$requestId" params={{ requestId: request['request-id'] }} {...props} />
        )}
      >
        {formatTimestamp(request['created-at'])}
      </Anchor>
    ),
  },
  {
    id: 'type',
    header: t('type'),
    width: '7rem',
    cell: (request) => t(typeTerm(request['request-type'], request['alteration-kind'])),
  },
  {
    id: 'status',
    header: t('status'),
    width: '12rem',
    cell: (request) => <RequestState request={request} />,
  },
  {
    id: 'reference',
    header: t('reference'),
    width: 'minmax(10rem, 1fr)',
    cell: (request) => <TextValue value={request.reference} />,
  },
  {
    id: 'movements',
    header: t('movements'),
    width: '9rem',
    isNumeric: true,
    cell: (request) => (
      <NumberValue value={Object.values(request['enrollment-summary']).reduce((sum, count) => sum + count, 0)} />
    ),
  },
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
