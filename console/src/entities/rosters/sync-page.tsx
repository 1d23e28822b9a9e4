import './rosters.css'
import { Alert, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RosterStatus } from '../../../../src/kernel/roster-syncs.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { fieldName } from '../../components/field-words.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { CnpjValue, DateValue, NumberValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { type RosterSync, useRosterClient } from './client.ts'
import { Doubts } from './doubts.tsx'
import type { ListLinks } from './links.ts'
import { RosterDraft } from './roster-draft.tsx'
import { RosterStatusBadge } from './status-badge.tsx'

const pollMilliseconds = 1_000
const goesOn: readonly RosterStatus[] = ['reading', 'comparing']

/** A list of who should be covered: how far it is, what is doubtful about it, and what differs. */
export function SyncPage({
  id,
  links,
  mayWrite,
}: {
  readonly id: string
  readonly links: ListLinks
  readonly mayWrite: boolean
}) {
  const { t } = useTranslation('rosters')
  const { client, operations } = useRosterClient()
  const sync = useQuery({
    ...operationQuery(operations.read, { path: [id] }, client),
    refetchInterval: ({ state }) =>
      state.data !== undefined && goesOn.includes(state.data.result.status) ? pollMilliseconds : false,
  })
  return (
    <ObjectPage query={sync} title={t('list')}>
      {({ result }) => <SyncView sync={result} links={links} mayWrite={mayWrite} />}
    </ObjectPage>
  )
}

function SyncView({
  sync,
  links,
  mayWrite,
}: {
  readonly sync: RosterSync
  readonly links: ListLinks
  readonly mayWrite: boolean
}) {
  const { t } = useTranslation('rosters')
  const isOpen = sync.status === 'open' || goesOn.includes(sync.status)
  return (
    <>
      <PageHeader title={t('list')} name={sync['file-name'] ?? ''}>
        {isOpen && mayWrite && (
          <DialogButton
            variant="default"
            dialog={(close) => <CancelDialog id={sync['roster-sync-id']} onClose={close} />}
          >
            {t('cancel')}
          </DialogButton>
        )}
      </PageHeader>
      <Stack gap="md">
        <SyncFacts sync={sync} company={links.company?.(sync['company-tax-id'])} />
        <SyncProgress sync={sync} />
        <Problems sync={sync} />
        <Doubts doubts={sync.doubts}>
          {mayWrite && links.again !== null && <Group mt="xs">{links.again(sync)}</Group>}
        </Doubts>
        <Warnings sync={sync} />
        {sync.status === 'compared' && sync['draft-id'] === null && <Text role="status">{t('nothingDiffers')}</Text>}
        {sync['draft-id'] !== null && <RosterDraft id={sync['draft-id']} links={links} mayWrite={mayWrite} />}
        <RawView value={sync} />
      </Stack>
    </>
  )
}

function SyncFacts({ sync, company }: { readonly sync: RosterSync; readonly company: ReactNode }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { states } = sync
  return (
    <FactList
      facts={[
        fact(t('rosters:status'), <RosterStatusBadge status={sync.status} />),
        company !== undefined && fact(t('rosters:company'), company),
        fact(t('rosters:file'), <TextValue value={sync['file-name']} />),
        fact(t('rosters:asOf'), <DateValue value={sync['as-of']} />),
        fact(
          t('rosters:completeIn'),
          states.length === 0
            ? t('rosters:inNothing')
            : states.map((state) => t(`terms:rosterState.${state}`)).join(', '),
        ),
        Object.values(sync.within).some((some) => some.length > 0) &&
          fact(t('rosters:ofPart'), <PartText within={sync.within} />),
        sync.lines !== null && fact(t('rosters:lines'), <NumberValue value={sync.lines} />),
        sync['refused-lines'] !== null &&
          fact(t('rosters:refusedLines'), <NumberValue value={sync['refused-lines']} />),
        sync.unchanged !== null && fact(t('rosters:unchanged'), <NumberValue value={sync.unchanged} />),
        fact(t('rosters:createdBy'), <Value>{sync['created-by']}</Value>),
        fact(t('rosters:sentAt'), <TimestampValue value={sync['created-at']} />),
        sync.reference !== null && fact(t('rosters:reference'), <TextValue value={sync.reference} />),
      ]}
    />
  )
}

function PartText({ within }: { readonly within: RosterSync['within'] }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const employers = within['employee-company-tax-ids'] ?? []
  const products = within['product-ids']?.length ?? 0
  return (
    <>
      {(within['cost-centers'] ?? []).map((one) => (
        <div key={one}>
          {t('rosters:costCenter')}: <Value>{one}</Value>
        </div>
      ))}
      {employers.map((one) => (
        <div key={one}>
          <CnpjValue value={one} />
        </div>
      ))}
      {(within['product-types'] ?? []).map((one) => (
        <div key={one}>{t(`terms:productType.${one}`)}</div>
      ))}
      {products > 0 && <div>{t('rosters:productCount', { count: products, formatted: formatNumber(products) })}</div>}
    </>
  )
}

function SyncProgress({ sync }: { readonly sync: RosterSync }) {
  const { t } = useTranslation('rosters')
  if (sync.status === 'open') return <Text role="status">{t('waitsForList')}</Text>
  if (!goesOn.includes(sync.status)) return null
  const { of, compared } = sync
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {of === null ? t('reading') : t('comparing', { done: formatNumber(compared), of: formatNumber(of) })}
      </Text>
      <Progress.Root size="lg">
        <Progress.Section value={of === null || of === 0 ? 0 : (compared / of) * 100} aria-label={t('progress')} />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {t('mayLeave')}
      </Text>
    </Stack>
  )
}

/** Why it could not be compared. */
function Problems({ sync }: { readonly sync: RosterSync }) {
  const { t } = useTranslation(['rosters', 'terms'])
  if (sync.problems.length === 0) return null
  return (
    <Alert color="red" variant="outline" role="alert" title={t('rosters:failed')}>
      <List size="sm">
        {sync.problems.map(({ problem, field, line }) => (
          <List.Item key={`${problem} ${field} ${line}`}>
            {t(`terms:rosterProblem.${problem}`)} {field !== null && <Value>{fieldName(field)}</Value>}{' '}
            {line !== null && t('rosters:inLine', { line: formatNumber(line) })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** What the service tells of columns and cells that it has read, folded away. */
function Warnings({ sync }: { readonly sync: RosterSync }) {
  const { t } = useTranslation(['rosters', 'imports'])
  const { warnings, 'sheets-not-read': sheets } = sync
  const titles = {
    'unknown-column': t('imports:unknownColumns'),
    'leading-zeros-restored': t('imports:restoredZeros'),
    'amount-rounded': t('imports:roundedAmounts'),
    'suspicious-text': t('imports:suspiciousTexts'),
    'cell-error': t('imports:cellErrors'),
    'hidden-row': t('imports:hiddenRows'),
  }
  const count = warnings.length + sheets.length
  if (count === 0) return null
  return (
    <details className="roster-more">
      <summary>{t('rosters:warnings', { count, formatted: formatNumber(count) })}</summary>
      {sheets.length > 0 && (
        <Text size="sm" mt="xs">
          {t('rosters:sheetsNotRead')} <Value>{sheets.join(', ')}</Value>
        </Text>
      )}
      {[...Map.groupBy(warnings, ({ warning }) => warning)].map(([warning, some]) => (
        <Text key={warning} size="sm" mt="xs">
          {titles[warning]}:{' '}
          <Value>
            {some
              .map(({ field, line }) => (line === undefined ? field : t('imports:fieldOfLine', { field, line })))
              .join(', ')}
          </Value>
        </Text>
      ))}
    </details>
  )
}

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation('rosters')
  const { cancel } = useRosterClient()
  return (
    <ActDialog
      title={t('cancelTitle')}
      action={t('cancel')}
      isDestructive
      act={() => cancel(id)}
      done={t('cancelled')}
      onClose={onClose}
    >
      <Text size="sm">{t('cancelText')}</Text>
    </ActDialog>
  )
}
