import type { Company, Item } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Value } from '../../components/value.tsx'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { usePeople } from '../../entities/company-hr/use-people.ts'
import { isUnderWay } from '../../entities/requests/decided.ts'
import { RequestState } from '../../entities/requests/request-state.tsx'
import { formatDate, formatTimestamp, businessDate } from '../../format/date.ts'
import { typeTerm } from '../../format/movement-type.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { Lines, Panel } from './panel.tsx'

interface OfCompany {
  readonly company: Company
}
type Movement = Item<'listEnrollmentHistory'>

const maxLines = 5

/** The movements of a part, each a link by the name of its person. */
function MovementLines(props: {
  readonly movements: readonly Movement[]
  readonly empty: string
  readonly detailsOf: (movement: Movement) => ReactNode
  readonly endOf: (movement: Movement) => ReactNode
}) {
  const { movements, empty, detailsOf, endOf } = props
  const people = usePeople(movements.map((movement) => movement['member-tax-id']))
  const lines = movements.map((movement) => {
    const taxId = movement['member-tax-id']
    return {
      key: movement.id,
      link: (
        <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId: movement.id }}>
          <Value>{people.get(taxId)?.profile.name ?? formatCpf(taxId)}</Value>
        </TextLink>
      ),
      details: detailsOf(movement),
      end: endOf(movement),
    }
  })
  return <Lines lines={lines} empty={empty} />
}

/** What waits for an answer of the company, with the day by which the carrier takes it. */
export function Pending({ company }: OfCompany) {
  const { t } = useTranslation('hrHome')
  const pageOf = (status: 'pending-documents' | 'pending-correction') => ({
    query: { 'company-tax-id': company['tax-id'], status, page: 1, 'items-per-page': maxLines },
  })
  const documents = useCompanyOperation('listEnrollmentHistory', pageOf('pending-documents'))
  const corrections = useCompanyOperation('listEnrollmentHistory', pageOf('pending-correction'))
  return (
    <Panel title={t('pending')} more={<TextLink to="/hr/pending">{t('all')}</TextLink>}>
      <QueryView query={documents}>
        {(first) => (
          <QueryView query={corrections}>
            {(second) => (
              <MovementLines
                movements={[...first.result, ...second.result].slice(0, maxLines)}
                empty={t('nothingPending')}
                detailsOf={({ reason, 'pending-items': items }) => (
                  <Value>{items.length > 0 ? items.map(({ message }) => message).join(' · ') : reason}</Value>
                )}
                endOf={({ id }) => <Due enrollmentId={id} />}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </Panel>
  )
}

/** Only the whole movement has the cut-off by which the carrier takes it. */
function Due({ enrollmentId }: { readonly enrollmentId: string }) {
  const { t } = useTranslation('hrHome')
  const { data } = useCompanyOperation('readEnrollment', { path: [enrollmentId] })
  const day = data?.result['carrier-hand-over']?.['cut-off-date'] ?? null
  return day === null ? null : t('dueOn', { date: formatDate(day) })
}

/** Whose cover starts, or ends, this month. */
export function EffectiveThisMonth({ company, type }: OfCompany & { readonly type: 'inclusion' | 'exclusion' }) {
  const { t } = useTranslation('hrHome')
  const month = businessDate().slice(0, 7)
  const filter = { 'enrollment-type': type, 'effective-month': month }
  const query = useCompanyOperation('listEnrollmentHistory', {
    query: { ...filter, 'company-tax-id': company['tax-id'], page: 1, 'items-per-page': maxLines },
  })
  const isStart = type === 'inclusion'
  return (
    <Panel
      title={t(isStart ? 'starting' : 'leaving')}
      more={
        <TextLink to="/hr/movements" search={filter}>
          {t('all')}
        </TextLink>
      }
    >
      <QueryView query={query}>
        {({ result }) => (
          <MovementLines
            movements={result}
            empty={t(isStart ? 'nobodyStarts' : 'nobodyLeaves')}
            detailsOf={(movement) => (
              <>
                <Value>{movement['product-name']}</Value> <StatusBadge status={movement.status} />
              </>
            )}
            endOf={(movement) =>
              t(isStart ? 'on' : 'lastDay', { date: formatDate(movement['start-date'] ?? movement['end-date'] ?? '') })
            }
          />
        )}
      </QueryView>
    </Panel>
  )
}

/** The next day by which each carrier takes movements. */
export function CutOffs({ company }: OfCompany) {
  const { t } = useTranslation('hrHome')
  const today = businessDate()
  const query = useCompanyOperation('listCompanyCutOffs', {
    path: [company['tax-id']],
    query: { 'items-per-page': 100 },
  })
  return (
    <Panel title={t('cutOff')}>
      <QueryView query={query}>
        {({ result }) => {
          const coming = result.filter((one) => one['cut-off-date'] >= today)
          const next = coming.filter(
            (one) => coming.find((other) => other['carrier-name'] === one['carrier-name']) === one,
          )
          return (
            <Lines
              empty={t('noCutOff')}
              lines={next.map((one) => ({
                key: one['carrier-name'],
                link: <Value>{one['carrier-name']}</Value>,
                details: t('coverFrom', { start: formatDate(one['coverage-start']) }),
                end: t('dueOn', { date: formatDate(one['cut-off-date']) }),
              }))}
            />
          )
        }}
      </QueryView>
    </Panel>
  )
}

/** The newest requests of which something is to be decided. */
export function RequestsUnderWay({ company }: OfCompany) {
  const { t } = useTranslation(['hrHome', 'terms'])
  const query = useCompanyOperation('listRequests', {
    query: { 'company-tax-id': company['tax-id'], page: 1, 'items-per-page': 50 },
  })
  return (
    <Panel title={t('hrHome:requests')} more={<TextLink to="/hr/requests">{t('hrHome:all')}</TextLink>}>
      <QueryView query={query}>
        {({ result }) => (
          <Lines
            empty={t('hrHome:noRequests')}
            lines={result
              .filter(isUnderWay)
              .slice(0, maxLines)
              .map((request) => ({
                key: request['request-id'],
                link: (
                  <TextLink to="/hr/requests/$requestId" params={{ requestId: request['request-id'] }}>
                    {t(typeTerm(request['request-type'], request['alteration-kind']))} ·{' '}
                    <Value>{formatTimestamp(request['created-at'])}</Value>
                  </TextLink>
                ),
                end: <RequestState request={request} />,
              }))}
          />
        )}
      </QueryView>
    </Panel>
  )
}
