import { Alert, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Enrollment } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { companyMovements } from '../../entities/company-hr/movement-client.ts'
import { useMovementWords } from '../../entities/company-hr/movement-words.ts'
import { useIntakeFacts } from '../../entities/requests/intake-facts.tsx'
import { usePeople } from '../../entities/company-hr/use-people.ts'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { CpfValue, DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { typeTerm } from '../../format/movement-type.ts'
import { MovementClientProvider } from '../../entities/movement-forms/client.ts'
import { KeptForm } from '../../forms/kept-draft.tsx'
import { AnswerForm } from './answer-form.tsx'
import { CancelMovement } from './cancel-movement.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/hr/pending/$enrollmentId')

/** One movement: what it is, where it is, what it waits for and how to answer. */
export function MovementPage() {
  const { enrollmentId } = route.useParams()
  const query = useCompanyOperation('readEnrollment', { path: [enrollmentId] })
  return <QueryView query={query}>{({ result }) => <Movement key={enrollmentId} movement={result} />}</QueryView>
}

function Movement({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation(['hr', 'terms'])
  const wordsOf = useMovementWords()
  const { status, reason, 'member-tax-id': taxId } = movement
  const name = usePeople([taxId]).get(taxId)?.profile.name ?? ''
  const isPending = status === 'pending-documents' || status === 'pending-correction'
  return (
    <>
      <PageHeader
        title={
          <>
            {t(typeTerm(movement['enrollment-type'], movement['alteration-kind']))}: <Value>{name}</Value>
          </>
        }
      >
        <CancelMovement movement={movement} />
      </PageHeader>
      <Stack gap="lg">
        <Alert color={isPending ? 'orange' : 'blue'} variant="default" title={wordsOf(movement)}>
          {isPending && reason !== null && (
            <Text size="sm">
              <Value>{reason}</Value>
            </Text>
          )}
        </Alert>
        {isPending && (
          <MovementClientProvider value={companyMovements}>
            <KeptForm key={movement.id} name={`answer ${movement.id} ${movement['last-updated-at']}`}>
              <AnswerForm movement={movement} />
            </KeptForm>
          </MovementClientProvider>
        )}
        <Facts movement={movement} />
        <History movement={movement} />
      </Stack>
    </>
  )
}

function Facts({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation(['hr', 'movement', 'terms'])
  const taxId = movement['member-tax-id']
  const person = usePeople([taxId]).get(taxId)
  const handOver = movement['carrier-hand-over'] ?? null
  const dates = [
    [t('movement:startDate'), movement['start-date']],
    [t('movement:endDate'), movement['end-date']],
    [t('movement:cutOff'), handOver?.['cut-off-date'] ?? null],
    [t('movement:expectedStart'), handOver?.['expected-start-date'] ?? null],
  ] as const
  const exclusionReason = movement['exclusion-reason']
  const intake = useIntakeFacts(movement)
  const facts: Facts = [
    fact(t('hr:status'), <StatusBadge status={movement.status} />),
    fact(
      t('hr:person'),
      person === undefined ? (
        <CpfValue value={taxId} />
      ) : (
        <TextLink to="/hr/people/$memberId" params={{ memberId: person.id }}>
          <TextValue value={person.profile.name} />
        </TextLink>
      ),
    ),
    fact(t('hr:cpf'), <CpfValue value={taxId} />),
    fact(t('hr:product'), <TextValue value={movement['product-name']} />),
    fact(t('movement:carrier'), <TextValue value={movement['carrier-name']} />),
    ...dates.map(([label, value]) => value !== null && fact(label, <DateValue value={value} />)),
    exclusionReason !== null && fact(t('movement:exclusionReason'), t(`terms:exclusionReason.${exclusionReason}`)),
    fact(t('movement:createdAt'), <TimestampValue value={movement['created-at']} />),
    ...intake.map(([label, value]) => fact(label, value)),
  ]
  return (
    <section>
      <SectionTitle>{t('movement:facts')}</SectionTitle>
      <FactList facts={facts} />
    </section>
  )
}

function History({ movement }: { readonly movement: Enrollment }) {
  const { t } = useTranslation(['hr', 'movement', 'terms'])
  const entries = movement.history.map(({ status, at, actor, reason, 'actor-name': name }, index) => ({
    key: `${index} ${at}`,
    title: t(`terms:status.${status}`),
    at,
    details: (
      <>
        <Text size="sm">
          {name === undefined ? t(actor === 'operator' ? 'hr:broker' : `terms:actor.${actor}`) : <Value>{name}</Value>}
        </Text>
        {reason !== null && (
          <Text size="sm">
            <Value>{reason}</Value>
          </Text>
        )}
      </>
    ),
  }))
  return (
    <section>
      <SectionTitle>{t('movement:history')}</SectionTitle>
      <Timeline entries={entries} />
    </section>
  )
}
