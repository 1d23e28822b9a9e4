import { Alert, Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { type Fact, FactList, fact } from '../../components/fact-list.tsx'
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
  const facts: readonly Fact[] = [
    { key: 'status', label: t('status'), value: <ContinuationStatusBadge status={one.status} /> },
    ...(one['not-eligible-reason'] === null
      ? []
      : [{ key: 'refused', label: t('refused'), value: t(`notEligible.${one['not-eligible-reason']}`) }]),
    { key: 'due', label: t('dueDate'), value: <DateValue value={one['due-date']} /> },
    fact(
      'member',
      t('member'),
      <TextLink to="/members/$memberId" params={{ memberId: one['member-id'] }}>
        <Value>{one['member-name']}</Value>
      </TextLink>,
    ),
    { key: 'company', label: t('company'), value: <Value>{one['company-name']}</Value> },
    { key: 'product', label: t('product'), value: <Value>{one['product-name']}</Value> },
    { key: 'ground', label: t('ground'), value: t(`grounds.${one.ground}`) },
    { key: 'contribution', label: t('contributionMonths'), value: <NumberValue value={one['contribution-months']} /> },
    { key: 'term', label: t('term'), value: <Term months={one.months} withoutEnd={one['without-end']} /> },
    ...dates.map((name) => ({ key: name, label: t(`dates.${name}`), value: <DateValue value={one[name]} /> })),
    ...(one['end-date'] === null
      ? []
      : [{ key: 'end', label: t('dates.end-date'), value: <DateValue value={one['end-date']} /> }]),
    ...(one['end-reason'] === null
      ? []
      : [{ key: 'reason', label: t('endReason'), value: t(`endReasons.${one['end-reason']}`) }]),
  ]
  return <FactList facts={facts} />
}
