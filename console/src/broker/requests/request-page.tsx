import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EnrollmentStatus } from '../../../../src/kernel/enums.ts'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { NumberValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatDuration } from '../../format/date.ts'
import { FailedParts } from './failed-parts.tsx'
import { countsOf, partsOf, type Request } from '../../entities/requests/parts.ts'
import { focusParts, RequestParts } from './request-parts.tsx'
import { useIntakeFacts } from '../../entities/requests/intake-facts.tsx'
import { RequestProgress } from '../../entities/requests/request-progress.tsx'
import { RequestState } from '../../entities/requests/request-state.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/requests/$requestId')
const pollMilliseconds = 1_000

/** One request: its progress while it is processed, its parts, and why some failed. */
export function RequestPage() {
  const { t } = useTranslation(['request', 'terms'])
  const { requestId } = route.useParams()
  // Only the failed parts of a large request are polled; the counts are of all.
  const query = useQuery({
    ...operationQuery('readAnyRequest', { path: [requestId], query: { 'part-status': 'failed' } }),
    refetchInterval: ({ state }) => (state.data?.result.status === 'processing' ? pollMilliseconds : false),
  })
  return (
    <>
      <PageHeader title={t('requestTitle')}>
        {query.data !== undefined && <RequestState request={query.data.result} />}
      </PageHeader>
      <QueryView query={query}>
        {({ result }) => (
          <Stack gap="xl">
            <RequestProgress status={result.status} counts={countsOf(result)} />
            <Facts request={result} />
            <FailedParts request={result} parts={partsOf(result)} />
            <RequestParts requestId={requestId} requestType={result['request-type']} />
          </Stack>
        )}
      </QueryView>
    </>
  )
}

function Facts({ request }: { readonly request: Request }) {
  const { t } = useTranslation(['request', 'terms'])
  const [createdAt, finishedAt] = [request['created-at'], request['finished-at']]
  const intake = useIntakeFacts(request)
  const seconds = finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000
  return (
    <section>
      <SectionTitle>{t('facts')}</SectionTitle>
      <FactList
        facts={[
          fact(t('type'), t(typeTerm(request['request-type'], request['alteration-kind']))),
          fact(t('company'), <CompanyLink taxId={request['company-tax-id']} name={request['company-name']} />),
          fact(t('reference'), <TextValue value={request.reference} />),
          fact(t('createdAt'), <TimestampValue value={createdAt} />),
          ...intake.map(([label, value]) => fact(label, value)),
          fact(
            t('finishedAt'),
            <>
              <TimestampValue value={finishedAt} />
              {seconds !== null && (
                <>
                  {' '}
                  <Value>({formatDuration(seconds)})</Value>
                </>
              )}
            </>,
          ),
          fact(t('requestId'), <Value>{request['request-id']}</Value>),
          fact(t('movementsNow'), <MovementCounts request={request} />),
        ]}
      />
    </section>
  )
}

/** The number of movements in each status now; each leads to its parts below. */
function MovementCounts({ request }: { readonly request: Request }) {
  const counts = Object.entries(request['enrollment-summary']) as [EnrollmentStatus, number][]
  if (counts.length === 0) return <TextValue value={null} />
  return (
    <Stack gap={4} align="flex-start">
      {counts.map(([status, count]) => (
        <TextLink
          from="/requests/$requestId"
          search={{ 'enrollment-status': status }}
          hash="parts"
          resetScroll={false}
          onClick={focusParts}
          key={status}
          underline="never"
          size="md"
        >
          <NumberValue value={count} /> <StatusBadge status={status} />
        </TextLink>
      ))}
    </Stack>
  )
}
