import { Alert, Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { detailWords } from '../../components/detail-words.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Loading } from '../../components/state-view.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { DiscrepancyView } from './discrepancy-view.tsx'
import { FileActions } from './file-actions.tsx'
import { FileHead } from './file-head.tsx'
import { LineTable } from './line-table.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import {
  type CarrierFile,
  countOf,
  type Reconciliation,
  refreshMilliseconds,
} from '../../entities/reconciliations/reconciliation.ts'

const route = getRouteApi('/shell/reconciliations/$fileId')

/** A file of a carrier: what it has, and what differs from what is here. */
export function FilePage() {
  const { t } = useTranslation('reconciliations')
  const { fileId } = route.useParams()
  const parameters = { path: [fileId] }
  const first = useOperation('readCarrierFile', parameters)
  const isReading = first.data?.result.status === 'reading'
  const file = useOperation('readCarrierFile', parameters, { refetchInterval: isReading && refreshMilliseconds })
  return (
    <ObjectPage query={file} title={t('title')}>
      {({ result }) => <FileView file={result} />}
    </ObjectPage>
  )
}

function FileView({ file }: { readonly file: CarrierFile }) {
  const { t } = useTranslation(['reconciliations', 'terms', 'charges'])
  const { view } = route.useSearch()
  const reconciliation = useReconciliation(file['reconciliation-id'])
  const isCompared = file['reconciliation-id'] !== null
  return (
    <>
      <PageHeader
        title={
          <Value>
            {t('reconciliations:titleOne', {
              kind: t(`terms:carrierFileKind.${file.kind}`),
              month: formatMonth(file['reference-month']),
              carrier: file['carrier-name'],
              contract: contractNumber(file),
            })}
          </Value>
        }
      >
        <CompareButton file={file} reconciliation={reconciliation} />
        {file.kind === 'invoice' && file.status === 'read' && (
          <ButtonLink
            to="/charges/$contractId/$month"
            params={{ contractId: file['contract-id'], month: file['reference-month'] }}
            variant="default"
          >
            {t('charges:whyAll')}
          </ButtonLink>
        )}
        <FileActions file={file} isClosed={reconciliation?.status === 'closed'} />
      </PageHeader>
      <FileHead file={file} reconciliation={reconciliation} />
      {file['replaced-by'] !== null && (
        <Alert color="yellow" variant="outline" my="sm">
          {t('reconciliations:replaced')}{' '}
          <TextLink to="/reconciliations/$fileId" params={{ fileId: file['replaced-by'] }}>
            {t('reconciliations:seeLater')}
          </TextLink>
        </Alert>
      )}
      {file.status === 'failed' && (
        <Alert color="red" variant="outline" my="sm" title={t('reconciliations:failed')}>
          <Value>{file.problems.map(detailWords).join(' ')}</Value>
        </Alert>
      )}
      {file.status === 'read' && (
        <>
          {isCompared && (
            <Group component="nav" gap="lg" mb={4} aria-label={t('reconciliations:views')}>
              {([undefined, 'lines'] as const).map((name) => (
                <TextLink
                  to="/reconciliations/$fileId"
                  params={{ fileId: file['file-id'] }}
                  search={name === undefined ? {} : { view: name }}
                  replace
                  activeProps={{}}
                  key={name ?? 'discrepancies'}
                  {...(name === view ? { 'aria-current': 'true' as const, fw: 700 } : {})}
                >
                  {name === undefined ? (
                    <>
                      {t('reconciliations:discrepancies')}{' '}
                      {reconciliation !== undefined && <NumberValue value={sumOf(reconciliation)} />}
                    </>
                  ) : (
                    <>
                      {t('reconciliations:linesOfFile')} <NumberValue value={file.lines} />
                    </>
                  )}
                </TextLink>
              ))}
            </Group>
          )}
          {!isCompared || view === 'lines' ? (
            <LineTable file={file} isClosed={reconciliation?.status === 'closed'} />
          ) : reconciliation === undefined || reconciliation.status === 'computing' ? (
            <Loading />
          ) : (
            <DiscrepancyView reconciliation={reconciliation} />
          )}
        </>
      )}
    </>
  )
}

const sumOf = ({ counts }: Reconciliation): number => counts.reduce((sum, one) => sum + countOf(one), 0)

/** The comparison of a file, read again until it is computed. */
function useReconciliation(id: string | null): Reconciliation | undefined {
  const parameters = { path: [id ?? ''] }
  const first = useOperation('readReconciliation', parameters, { enabled: id !== null }).data?.result
  const refetchInterval = first?.status === 'computing' && refreshMilliseconds
  return useOperation('readReconciliation', parameters, { enabled: id !== null, refetchInterval }).data?.result
}

/** Compares the file, or compares it again after links and movements. */
function CompareButton(props: { readonly file: CarrierFile; readonly reconciliation: Reconciliation | undefined }) {
  const { file, reconciliation } = props
  const { t } = useTranslation('reconciliations')
  const queryClient = useQueryClient()
  const mayCompare = usePermission('createReconciliation')
  const id = file['reconciliation-id']
  const compare = useMutation({
    mutationFn: () =>
      id === null ? api.reconciliations.create({ 'carrier-file-id': file['file-id'] }) : api.reconciliations.repeat(id),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  if (!mayCompare || file.status !== 'read' || file.kind === 'coparticipation') return null
  if (reconciliation?.status === 'closed') return null
  return (
    <>
      {compare.error !== null && <ErrorMessage error={compare.error} />}
      <Button
        variant={id === null ? 'filled' : 'default'}
        loading={compare.isPending || reconciliation?.status === 'computing'}
        onClick={() => compare.mutate()}
      >
        {t(id === null ? 'compare' : 'compareAgain')}
      </Button>
    </>
  )
}
