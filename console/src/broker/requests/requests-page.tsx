import { useTranslation } from 'react-i18next'
import { MOVEMENT_KINDS, REQUEST_STATUSES } from '../../../../src/kernel/enums.ts'
import { MAX_REFERENCE_CHARACTERS } from '../../../../src/kernel/reference.ts'
import { TextLink } from '../../components/link.tsx'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { RequestState } from '../../entities/requests/request-state.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { column, number, side, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, DayFilter, Filters, TextFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'

const List = listPage('listAllRequests')

/** The requests of all companies, newest first. */
export function RequestsPage() {
  const { t } = useTranslation(['request', 'terms'])
  return (
    <List
      title={t('request:title')}
      options={{ refetchInterval: 15_000 }}
      filters={<RequestFilters />}
      unit="requests"
      columns={[
        column(t('request:createdAt'), '9rem', (request) => (
          <TextLink to="/requests/$requestId" params={{ requestId: request['request-id'] }}>
            <span translate="no">{formatTimestamp(request['created-at'])}</span>
          </TextLink>
        )),
        column(t('request:type'), '7rem', (one) => t(typeTerm(one['request-type'], one['alteration-kind']))),
        side(t('request:status'), '12rem', (request) => <RequestState request={request} />),
        column(t('request:company'), 'minmax(14rem, 1.5fr)', (request) => (
          <CompanyLabel taxId={request['company-tax-id']} name={request['company-name']} />
        )),
        text(t('request:reference'), 'reference', 'minmax(8.5rem, 1fr)'),
        number(
          t('request:movements'),
          (request) => Object.values(request['enrollment-summary']).reduce((sum, count) => sum + count, 0),
          '9rem',
        ),
        timestamp(t('request:finishedAt'), 'finished-at', '9rem'),
      ]}
      idOf={(request) => request['request-id']}
    />
  )
}

function RequestFilters() {
  const { t } = useTranslation(['request', 'terms'])
  return (
    <Filters className="filters">
      <ChoiceFilter
        name="request-type"
        label={t('request:type')}
        any={t('request:any')}
        data={MOVEMENT_KINDS.map((value) => ({ value, label: t(`terms:type.${value}`) }))}
      />
      <ChoiceFilter
        name="status"
        label={t('request:processing')}
        any={t('request:any')}
        data={REQUEST_STATUSES.map((value) => ({ value, label: t(`terms:requestStatus.${value}`) }))}
      />
      <CompanyFilter label={t('request:company')} />
      <TextFilter
        name="reference"
        label={t('request:reference')}
        errorOf={(text) => (text.length > MAX_REFERENCE_CHARACTERS ? t('request:longReference') : null)}
      />
      <DayFilter name="from-dt" label={t('request:from')} />
      <DayFilter name="until-dt" label={t('request:until')} />
    </Filters>
  )
}
