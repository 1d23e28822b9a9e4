import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Member, MovementRequest } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '../../api/list-of.ts'
import { companyQuery, useCompanyOperation } from '../../entities/company-hr/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { formatNumber } from '../../format/number.ts'
import { FailureList } from '../../entities/requests/failure-list.tsx'
import { type Part, partsOf } from '../../entities/requests/parts.ts'
import { useIntakeFacts } from '../../entities/requests/intake-facts.tsx'
import { RequestProgress } from '../../entities/requests/request-progress.tsx'
import { PartStatusBadge } from '../../entities/requests/request-status.tsx'
import { TextLink } from '../../components/link.tsx'
import { column, side, text } from '../../lists/columns.tsx'
import { RequestState } from '../../entities/requests/request-state.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/hr/requests/$requestId')
const pollMilliseconds = 1_500

/** One request of the company: its progress, and what became of each person in it. */
export function RequestPage() {
  const { t } = useTranslation('request')
  const { requestId } = route.useParams()
  const query = useQuery({
    ...companyQuery('readRequest', { path: [requestId] }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? pollMilliseconds : false),
  })
  return (
    <>
      <PageHeader title={t('requestTitle')}>
        {query.data !== undefined && <RequestState request={query.data} />}
      </PageHeader>
      <QueryView query={query}>{(request) => <RequestView request={request} />}</QueryView>
    </>
  )
}

function RequestView({ request }: { readonly request: MovementRequest }) {
  const { t } = useTranslation(['request', 'terms', 'hr'])
  const parts = useMemo(() => partsOf(request), [request])
  const people = usePeople(parts, request.status !== 'processing')
  const columns = useMemo(() => columnsOf(t, people), [t, people])
  const list = useMemo(() => listOf(parts), [parts])
  const failed = parts.filter(({ status }) => status === 'failed')
  const namesOf = (offense: string) => (
    <Value>
      {failed
        .filter(({ offenses = [] }) => offenses.some((one) => one === offense))
        .map(({ taxId }) => people.get(taxId)?.profile.name ?? formatCpf(taxId))
        .join(', ')}
    </Value>
  )
  const intake = useIntakeFacts(request)
  return (
    <Stack gap="xl">
      <RequestProgress status={request.status} counts={countsOf(parts)} />
      <FactList
        facts={[
          fact(t('type'), t(typeTerm(request['request-type'], request['alteration-kind']))),
          fact(t('reference'), <TextValue value={request.reference} />),
          fact(t('createdAt'), <TimestampValue value={request['created-at']} />),
          ...intake.map(([label, value]) => fact(label, value)),
          fact(t('finishedAt'), <TimestampValue value={request['finished-at']} />),
          fact(t('requestId'), <Value>{request['request-id']}</Value>),
        ]}
      />
      {failed.length > 0 && (
        <section>
          <SectionTitle>{t('whyFailed')}</SectionTitle>
          <FailureList
            parts={failed}
            requestType={request['request-type']}
            whose={(offense, count) => (
              <Text span size="sm" c="dimmed">
                {count > maxNamesOfReason ? t('parts', { count, formatted: formatNumber(count) }) : namesOf(offense)}
              </Text>
            )}
          />
        </section>
      )}
      <section>
        <SectionTitle>{t('partsTitle')}</SectionTitle>
        <DataTable label={t('partsTitle')} columns={columns} list={list} idOf={({ id }) => id} />
      </section>
    </Stack>
  )
}

/** More people who failed for the same reason are counted. */
const maxNamesOfReason = 5

const countsOf = (parts: readonly Part[]) => {
  const count = (status: Part['status']) => parts.filter((part) => part.status === status).length
  return {
    created: count('enrollment-created'),
    failed: count('failed'),
    processing: count('processing'),
    total: parts.length,
  }
}

/** In a longer request only the first people have their names. */
const maxNames = 100

/** The people who are known, by CPF. @param isProcessed newcomers are known then. */
function usePeople(parts: readonly Part[], isProcessed: boolean): ReadonlyMap<string, Member> {
  const taxIds = [...new Set(parts.map(({ taxId }) => taxId))].slice(0, maxNames)
  const query = {
    filter: taxIds.map((taxId) => `tax-id=${taxId}`).join('|'),
    'include-inactive': true,
    'items-per-page': maxNames,
  }
  const { data } = useCompanyOperation('listMembers', { query }, { enabled: isProcessed && taxIds.length > 0 })
  return useMemo(() => new Map(data?.result.map((member) => [member.profile['tax-id'], member])), [data])
}

function PersonLink({ member }: { readonly member: Member | undefined }) {
  if (member === undefined) return <TextValue value={null} />
  return (
    <TextLink to="/hr/people/$memberId" params={{ memberId: member.id }} translate="no">
      {member.profile.name}
    </TextLink>
  )
}

function columnsOf(
  t: TFunction<['request', 'terms', 'hr']>,
  people: ReadonlyMap<string, Member>,
): readonly Column<Part>[] {
  return [
    column(t('cpf'), '9rem', ({ taxId, 'enrollment-id': enrollmentId }) => (
      <Anchor
        size="sm"
        translate="no"
        renderRoot={(props) =>
          enrollmentId === null ? (
            <Link to="/hr/people" state={{ taxIdSearch: taxId }} {...props} />
          ) : (
            <Link to="/hr/pending/$enrollmentId" params={{ enrollmentId }} {...props} />
          )
        }
      >
        {formatCpf(taxId)}
      </Anchor>
    )),
    column(t('hr:name'), 'minmax(12rem, 1fr)', ({ taxId }) => <PersonLink member={people.get(taxId)} />),
    text(t('product'), 'product', 'minmax(12rem, 1fr)'),
    side(t('outcome'), '12rem', ({ status }) => <PartStatusBadge status={status} />),
    column(t('movement'), '12rem', (part) =>
      part['enrollment-status'] === null ? null : <StatusBadge status={part['enrollment-status']} />,
    ),
  ]
}
