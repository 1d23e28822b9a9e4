import { Alert, Button, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { DateValue, NumberValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContinuationActs } from './continuation-acts.tsx'
import type { Continuation } from '../../entities/continuations/continuation.ts'
import { ContinuationSteps } from './continuation-steps.tsx'
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
        <ContinuationActs continuation={continuation} />
        {mayDownload && hasTerm && (
          <>
            <Letter continuation={continuation} name="notice" />
            <Letter continuation={continuation} name="option-form" />
          </>
        )}
      </PageHeader>
      {continuation['missing-setting'] !== null && (
        <Alert color="orange" mb="md">
          {t('missingSetting')}
        </Alert>
      )}
      <Head continuation={continuation} />
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

/** Whose plan it is, how far it is, and how long it is kept. */
function Head({ continuation: one }: { readonly continuation: Continuation }) {
  const { t } = useTranslation('continuations')
  const hasTerm = one.months !== null || one['without-end']
  return (
    <>
      <ContextLine
        items={[
          <TextLink key="member" to="/members/$memberId" params={{ memberId: one['member-id'] }}>
            <Value>{one['member-name']}</Value>
          </TextLink>,
          <TextLink key="company" to="/companies/$taxId" params={{ taxId: one['company-tax-id'] }}>
            <Value>{one['company-name']}</Value>
          </TextLink>,
          <Value key="product">{one['product-name']}</Value>,
          t(`grounds.${one.ground}`),
          one['leaving-date'] !== null && (
            <>
              {t('dates.leaving-date')} <DateValue value={one['leaving-date']} />
            </>
          ),
        ]}
      />
      <ContinuationSteps continuation={one} />
      <KeyNumbers
        numbers={[
          one['contribution-months'] !== null &&
            keyNumber(t('contributionMonths'), <NumberValue value={one['contribution-months']} />),
          hasTerm && keyNumber(t('term'), <Term months={one.months} withoutEnd={one['without-end']} />),
          one['due-date'] !== null && keyNumber(t('dueDate'), <DateValue value={one['due-date']} />),
        ]}
      />
      {one['not-eligible-reason'] !== null && <Text size="sm">{t(`notEligible.${one['not-eligible-reason']}`)}</Text>}
    </>
  )
}
