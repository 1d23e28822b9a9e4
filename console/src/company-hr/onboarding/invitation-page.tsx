import { Alert, Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompanyOperation } from '../../entities/company-hr/client.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { CpfValue, DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { InvitationActions } from './actions.tsx'
import { InvitationStatusBadge, type Review } from './invitation.tsx'
import { PersonData } from './person-data.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/hr/onboarding/$invitationId')

/** An invitation, and what the employee sent, to be approved or returned. */
export function InvitationPage() {
  const { t } = useTranslation('onboarding')
  const { invitationId } = route.useParams()
  const query = useCompanyOperation('readOnboardingInvitation', { path: [invitationId] })
  const review = query.data?.result
  return (
    <>
      <PageHeader title={t('invitation')}>{review !== undefined && <InvitationActions review={review} />}</PageHeader>
      <QueryView query={query}>{({ result }) => <InvitationView review={result} />}</QueryView>
    </>
  )
}

function InvitationView({ review }: { readonly review: Review }) {
  const { t } = useTranslation(['onboarding', 'terms'])
  const { submission, status } = review
  const requestId = review['request-id']
  return (
    <Stack gap="xl">
      {review['return-message'] !== null && (
        <Alert color="blue" variant="default" title={t('onboarding:returned')}>
          <Value>{review['return-message']}</Value>
        </Alert>
      )}
      <FactList
        facts={[
          fact(t('onboarding:name'), <TextValue value={review.name} />),
          fact(t('onboarding:status'), <InvitationStatusBadge status={status} />),
          fact(t('onboarding:cpf'), <CpfValue value={review['tax-id']} />),
          fact(t('onboarding:born'), <DateValue value={review['date-of-birth']} />),
          fact(t('onboarding:admission'), <DateValue value={review['admission-date']} />),
          fact(t('onboarding:createdAt'), <TimestampValue value={review['created-at']} />),
          fact(t('onboarding:expiresAt'), <TimestampValue value={review['expires-at']} />),
          fact(t('onboarding:openedAt'), <TimestampValue value={review['opened-at']} />),
          fact(t('onboarding:submittedAt'), <TimestampValue value={review['submitted-at']} />),
        ]}
      />
      {requestId !== null && (
        <Text size="sm">
          <TextLink to="/hr/requests/$requestId" params={{ requestId }}>
            {t('onboarding:openRequest')}
          </TextLink>
        </Text>
      )}
      {/* The other statuses have a submission. */}
      {submission === null ? (
        <Text size="sm">{t(`onboarding:hints.${status as 'sent'}`)}</Text>
      ) : (
        <Choices review={review} />
      )}
      {submission?.member !== undefined && (
        <PersonData title={t('terms:beneficiaryType.primary')} review={review} person={submission.member} />
      )}
      {submission?.dependents?.map((dependent) => (
        <PersonData
          key={dependent['tax-id']}
          title={t('terms:beneficiaryType.dependent')}
          review={review}
          person={dependent}
        />
      ))}
    </Stack>
  )
}

/** What the employee takes and waives. */
function Choices({ review }: { readonly review: Review }) {
  const { t } = useTranslation('onboarding')
  const { submission, products } = review
  return (
    <section>
      <SectionTitle>{t('products')}</SectionTitle>
      <Stack gap={4}>
        {submission?.choices.map(({ 'product-id': id, choice, 'typed-name': typedName }) => (
          <Group key={id} gap="xs">
            <Text size="sm" fw={600}>
              <TextValue value={products.find((product) => product['product-id'] === id)?.['product-name']} />
            </Text>
            <Text size="sm">
              {t(choice)}
              {typedName !== undefined && (
                <>
                  {' · '}
                  {t('waivedBy')} <Value>{typedName}</Value>, <TimestampValue value={review['submitted-at']} />
                </>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </section>
  )
}
