import { Alert, Box, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { type Step, Steps } from '../../components/steps.tsx'
import { DateValue, TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatBytes } from '../../format/bytes.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { ErasurePlan } from './erasure-plan.tsx'
import { LegalHold } from './legal-hold.tsx'
import { PersonLinks } from './person-links.tsx'
import { RequestActions } from './request-actions.tsx'
import type { SubjectRequest } from './subject-request.ts'

const route = getRouteApi('/shell/personal-data/$subjectRequestId')
const pollMilliseconds = 2_000

/** What a person asks: the copy of the data, and what became of the request. */
export function RequestPage() {
  const { t } = useTranslation('personalData')
  const { subjectRequestId } = route.useParams()
  const request = useOperation(
    'readSubjectRequest',
    { path: [subjectRequestId] },
    { refetchInterval: pollMilliseconds },
  )
  return (
    <ObjectPage query={request} title={t('request')}>
      {({ result }) => <RequestView request={result} />}
    </ObjectPage>
  )
}

function RequestView({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation(['personalData', 'terms'])
  const { kind, status, file } = request
  const cpf = request['tax-id']
  return (
    <>
      <PageHeader title={t('personalData:titleOne', { kind: t(`terms:subjectRequestKind.${kind}`) })}>
        <RequestActions request={request} />
      </PageHeader>
      <Head request={request} />
      <Text size="sm" mb="md">
        {t(`personalData:next.${kind}.${status === 'open' && file?.status === 'ready' ? 'ready' : status}`)}
      </Text>
      {file?.status === 'making' && <Alert mb="md">{t('personalData:making')}</Alert>}
      {cpf !== null && <PersonLinks taxId={cpf} />}
      {cpf !== null && <LegalHold taxId={cpf} />}
      {kind === 'erasure' && <ErasurePlan request={request} />}
      <Box mt="lg">
        <RawView value={request} />
      </Box>
    </>
  )
}

function Head({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation('personalData')
  const { 'tax-id': cpf, file, note } = request
  return (
    <>
      <ContextLine
        items={[
          cpf === null ? t('erased') : <Value>{formatCpf(cpf)}</Value>,
          <>
            {t('dueDate')} <DateValue value={request['due-date']} />
          </>,
          file?.['made-at'] != null && (
            <>
              {t('madeAt')} <TimestampValue value={file['made-at']} />
              {file.size !== null && ` (${formatBytes(file.size)})`}
            </>
          ),
          file?.['expires-at'] != null && (
            <>
              {t('expiresAt')} <TimestampValue value={file['expires-at']} />
            </>
          ),
        ]}
      />
      <RequestSteps request={request} />
      {note !== null && (
        <Text size="sm" c="dimmed" mb="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('note')}: <Value>{note}</Value>
        </Text>
      )}
    </>
  )
}

/** How far a request is. An erasure has a plan, and a second administrator who approves it. */
function RequestSteps({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation(['personalData', 'terms'])
  const nameOf = useOperatorNames()
  const { kind, status } = request
  const closedAt = request['closed-at']
  const steps: Step[] = [
    {
      key: 'open',
      name: t('terms:subjectRequestStatus.open'),
      at: request['received-on'],
      by: nameOf(request['created-by']),
    },
  ]
  if (status === 'cancelled') {
    const note = <Value>{request['cancel-reason']}</Value>
    steps.push({ key: status, name: t('terms:subjectRequestStatus.cancelled'), at: closedAt, note })
  } else {
    if (kind === 'erasure') {
      for (const key of ['planned', 'approved'] as const)
        steps.push({ key, name: t(`terms:subjectRequestStatus.${key}`) })
    }
    const last = status === 'partly-fulfilled' ? status : 'fulfilled'
    steps.push({ key: last, name: t(`terms:subjectRequestStatus.${last}`), at: closedAt })
  }
  const isDone = status === 'fulfilled' || status === 'partly-fulfilled' || status === 'cancelled'
  return <Steps label={t('personalData:way')} steps={steps} present={status} isDone={isDone} />
}
