import { Anchor, Button, Group } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { REQUEST_STATUSES, MOVEMENT_KINDS } from '../../../../src/kernel/enums.ts'
import { MAX_REFERENCE_CHARACTERS } from '../../../../src/kernel/reference.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateField } from '../../components/date-field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { NumberValue, TextValue, TimestampValue } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { RequestStatusBadge } from './request-status.tsx'
import { type RequestsSearch, requestsSearchOf } from './search.ts'
import { typeTerm } from '../../format/movement-type.ts'

type Request = Item<'listAllRequests'>

const route = getRouteApi('/shell/requests')

const columnsOf = (t: TFunction<['request', 'terms', 'states']>): readonly Column<Request>[] => [
  {
    id: 'created-at',
    header: t('createdAt'),
    width: '9rem',
    cell: (request) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/requests/$requestId" params={{ requestId: request['request-id'] }} {...props} />
        )}
      >
        <span translate="no">{formatTimestamp(request['created-at'])}</span>
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
    width: '8rem',
    cell: (request) => <RequestStatusBadge status={request.status} />,
  },
  {
    id: 'company',
    header: t('company'),
    width: 'minmax(14rem, 1.5fr)',
    cell: (request) => <CompanyLabel taxId={request['company-tax-id']} name={request['company-name']} />,
  },
  {
    id: 'reference',
    header: t('reference'),
    width: 'minmax(8.5rem, 1fr)',
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
  {
    id: 'finished-at',
    header: t('finishedAt'),
    width: '9rem',
    cell: (request) => <TimestampValue value={request['finished-at']} />,
  },
]

/** The requests of all companies, newest first. */
export function RequestsPage() {
  const { t } = useTranslation(['request', 'terms', 'states'])
  const search = route.useSearch()
  const list = usePagedList('listAllRequests', search, { refetchInterval: 15_000 })
  const columns = columnsOf(t)
  return (
    <>
      <PageHeader title={t('title')} />
      <Filters search={search} />
      <DataTable
        label={t('title')}
        unit="requests"
        columns={columns}
        list={list}
        idOf={(request) => request['request-id']}
        empty={t('empty')}
      />
    </>
  )
}

function Filters({ search }: { readonly search: RequestsSearch }) {
  const { t } = useTranslation(['request', 'terms', 'states'])
  const navigate = route.useNavigate()
  const change = (changed: { readonly [Key in keyof RequestsSearch]: RequestsSearch[Key] | undefined }) =>
    void navigate({ search: (former) => requestsSearchOf({ ...former, ...changed }), replace: true })
  return (
    <Group align="flex-end" mb="md" gap="sm" role="search" className="filters" aria-label={t('states:filters')}>
      <Choice
        label={t('type')}
        any={t('any')}
        value={search['request-type']}
        data={MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) }))}
        onChange={(type) => change({ 'request-type': type })}
      />
      <Choice
        label={t('status')}
        any={t('any')}
        value={search.status}
        data={REQUEST_STATUSES.map((value) => ({ value, label: t(`terms:requestStatus.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      <CompanySelect
        label={t('company')}
        value={search['company-tax-id'] ?? null}
        onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined })}
      />
      <SearchField
        label={t('reference')}
        value={search.reference}
        errorOf={(text) => (text.length > MAX_REFERENCE_CHARACTERS ? t('longReference') : null)}
        onChange={(value) => change({ reference: value })}
      />
      <DateField
        label={t('from')}
        value={search['from-dt'] ?? null}
        onChange={(value) => change({ 'from-dt': value ?? undefined })}
      />
      <DateField
        label={t('until')}
        value={search['until-dt'] ?? null}
        onChange={(value) => change({ 'until-dt': value ?? undefined })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('states:clearFilters')}
        </Button>
      )}
    </Group>
  )
}
