import { Alert, Box, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { DateValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { formatBytes } from '../../format/bytes.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { ErasurePlan } from './erasure-plan.tsx'
import { LegalHold } from './legal-hold.tsx'
import { PersonLinks } from './person-links.tsx'
import { RequestActions } from './request-actions.tsx'
import { SubjectRequestStatusBadge } from './status-badge.tsx'
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
      <Text size="sm" mb="md">
        {t(`personalData:next.${kind}.${status === 'open' && file?.status === 'ready' ? 'ready' : status}`)}
      </Text>
      {file?.status === 'making' && <Alert mb="md">{t('personalData:making')}</Alert>}
      <Facts request={request} />
      {cpf !== null && <PersonLinks taxId={cpf} />}
      {cpf !== null && <LegalHold taxId={cpf} />}
      {kind === 'erasure' && <ErasurePlan request={request} />}
      <Box mt="lg">
        <RawView value={request} />
      </Box>
    </>
  )
}

function Facts({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation('personalData')
  const nameOf = useOperatorNames()
  const cpf = request['tax-id']
  const { file } = request
  return (
    <FactList
      facts={[
        fact(t('status'), <SubjectRequestStatusBadge status={request.status} />),
        fact(t('person'), cpf === null ? t('erased') : <Value>{formatCpf(cpf)}</Value>),
        fact(t('receivedOn'), <DateValue value={request['received-on']} />),
        fact(t('dueDate'), <DateValue value={request['due-date']} />),
        fact(t('createdBy'), <Value>{nameOf(request['created-by'])}</Value>),
        ...(file === null
          ? []
          : [
              fact(t('madeAt'), <TimestampValue value={file['made-at']} />),
              fact(t('expiresAt'), <TimestampValue value={file['expires-at']} />),
              fact(t('size'), file.size === null ? '–' : formatBytes(file.size)),
            ]),
        fact(t('note'), <TextValue value={request.note} />),
        request['closed-at'] !== null && fact(t('closedAt'), <TimestampValue value={request['closed-at']} />),
        request.status === 'cancelled' && fact(t('cancelReason'), <TextValue value={request['cancel-reason']} />),
      ]}
    />
  )
}
