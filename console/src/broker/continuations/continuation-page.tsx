import { Alert, Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { DateValue, NumberValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContinuationActs } from './continuation-acts.tsx'
import type { Continuation } from '../../entities/continuations/continuation.ts'
import { ContinuationStatusBadge } from '../../entities/continuations/status-badge.tsx'
import { Term } from '../../entities/continuations/term.tsx'

const route = getRouteApi('/shell/continuations/$continuationId')

export function ContinuationPage() {
  const { continuationId } = route.useParams()
  const { t } = useTranslation('continuations')
  const query = useOperation('readAnyContinuation', { path: [continuationId] })
  return (
    <ObjectPage query={query} title={t('title')}>
      {({ result }) => <ContinuationView continuation={result} />}
    </ObjectPage>
  )
}

function ContinuationView({ continuation }: { readonly continuation: Continuation }) {
  const { t } = useTranslation('continuations')
  const mayDownload = usePermission('readAnyContinuationNotice')
  const hasTerm = continuation.months !== null || continuation['without-end']
  return (
    <>
      <PageHeader
        title={
          <>
            {t('of')} <Value>{continuation['member-name']}</Value>
          </>
        }
      >
        {mayDownload && hasTerm && (
          <>
            <Letter continuation={continuation} name="notice" />
            <Letter continuation={continuation} name="option-form" />
          </>
        )}
        <ContinuationActs continuation={continuation} />
      </PageHeader>
      {continuation['missing-setting'] !== null && (
        <Alert color="orange" mb="md">
          {t('missingSetting')}
        </Alert>
      )}
      <Facts continuation={continuation} />
      <Text size="xs" c="dimmed" my="md">
        {t('calculated')}
      </Text>
      <RawView value={continuation} />
    </>
  )
}

/** The browser saves the PDF. */
function Letter(props: { readonly continuation: Continuation; readonly name: 'notice' | 'option-form' }) {
  const { t } = useTranslation('continuations')
  const href = `/operator/v1/continuation/${props.continuation['continuation-id']}/${props.name}`
  return (
    <Button component="a" variant="default" href={href} download>
      {t(`letters.${props.name}`)}
    </Button>
  )
}

function Facts({ continuation: one }: { readonly continuation: Continuation }) {
  const { t } = useTranslation('continuations')
  const dates = ['leaving-date', 'notice-date', 'option-until', 'option-date', 'term-start', 'term-end'] as const
  const facts: Facts = [
    fact(t('status'), <ContinuationStatusBadge status={one.status} />),
    one['not-eligible-reason'] !== null && fact(t('refused'), t(`notEligible.${one['not-eligible-reason']}`)),
    fact(t('dueDate'), <DateValue value={one['due-date']} />),
    fact(
      t('member'),
      <TextLink to="/members/$memberId" params={{ memberId: one['member-id'] }}>
        <Value>{one['member-name']}</Value>
      </TextLink>,
    ),
    fact(t('company'), <Value>{one['company-name']}</Value>),
    fact(t('product'), <Value>{one['product-name']}</Value>),
    fact(t('ground'), t(`grounds.${one.ground}`)),
    fact(t('contributionMonths'), <NumberValue value={one['contribution-months']} />),
    fact(t('term'), <Term months={one.months} withoutEnd={one['without-end']} />),
    ...dates.map((name) => fact(t(`dates.${name}`), <DateValue value={one[name]} />)),
    one['end-date'] !== null && fact(t('dates.end-date'), <DateValue value={one['end-date']} />),
    one['end-reason'] !== null && fact(t('endReason'), t(`endReasons.${one['end-reason']}`)),
  ]
  return <FactList facts={facts} />
}
