import { Button, Group } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { getRouteApi } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { REQUEST_STATUSES, MOVEMENT_KINDS } from '../../../../src/kernel/enums.ts'
import { MAX_REFERENCE_CHARACTERS } from '../../../../src/kernel/reference.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DateField } from '../../components/date-field.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { CompanySelect } from '../invoices/company-select.tsx'
import { RequestStatusBadge } from './request-status.tsx'
import { type RequestsSearch, requestsSearchOf } from './search.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { column, text, number, timestamp } from '../../lists/columns.tsx'

type Request = Item<'listAllRequests'>

const route = getRouteApi('/shell/requests')

const columnsOf = (t: TFunction<['request', 'terms', 'states']>): readonly Column<Request>[] => [
  column(t('createdAt'), '9rem', (request) => (
    <TextLink to="/requests/$requestId" params={{ requestId: request['request-id'] }}>
      <span translate="no">{formatTimestamp(request['created-at'])}</span>
    </TextLink>
  )),
  column(t('type'), '7rem', (request) => t(typeTerm(request['request-type'], request['alteration-kind']))),
  column(t('status'), '8rem', (request) => <RequestStatusBadge status={request.status} />),
  column(t('company'), 'minmax(14rem, 1.5fr)', (request) => (
    <CompanyLabel taxId={request['company-tax-id']} name={request['company-name']} />
  )),
  text(t('reference'), 'reference', 'minmax(8.5rem, 1fr)'),
  number(
    t('movements'),
    (request) => Object.values(request['enrollment-summary']).reduce((sum, count) => sum + count, 0),
    '9rem',
  ),
  timestamp(t('finishedAt'), 'finished-at', '9rem'),
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
