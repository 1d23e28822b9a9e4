import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ResponseBody } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { ContextLine } from '../../components/context-line.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { NumberValue, TimestampValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import { ImportErrors } from './import-errors.tsx'
import { ImportStatusBadge } from './import-status.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { pollMilliseconds, sentFileOf, useImportUpload } from './use-import-upload.ts'
import { SectionTitle } from '../../components/section-title.tsx'

type Import = ResponseBody<'readImport'>

const route = getRouteApi('/shell/imports/$importId')

/** An import: its progress, its result, and the rejected lines to mend. */
export function ImportPage() {
  const { importId } = route.useParams()
  const { t } = useTranslation('imports')
  const query = useQuery({
    ...operationQuery('readImport', { path: [importId] }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMilliseconds : false),
  })
  return (
    <>
      <PageHeader title={t(query.data?.['dry-run'] ? 'dryRunTitle' : 'importTitle')} />
      <QueryView query={query}>{(one) => <ImportView key={importId} one={one} />}</QueryView>
    </>
  )
}

function ImportView({ one }: { readonly one: Import }) {
  const { t } = useTranslation('imports')
  return (
    <Stack gap="lg">
      <div>
        <ContextLine
          items={[
            <ImportStatusBadge key="status" status={one.status} />,
            <>
              {t('createdAt')} <TimestampValue value={one['created-at']} />
            </>,
            one['finished-at'] !== null && (
              <>
                {t('finishedAt')} <TimestampValue value={one['finished-at']} />
              </>
            ),
          ]}
        />
        <KeyNumbers
          numbers={[
            keyNumber(t('lines'), <NumberValue value={one.lines} />),
            keyNumber(t('accepted'), <NumberValue value={one.accepted} />),
            keyNumber(t('rejected'), <NumberValue value={one.rejected} />, one.rejected > 0),
          ]}
        />
      </div>
      <Summary one={one} />
      <Warnings warnings={one.warnings ?? []} />
      {one.status !== 'running' && one.rejected > 0 && (
        <section aria-labelledby="errors">
          <SectionTitle id="errors">{t('errorsTitle')}</SectionTitle>
          <ImportErrors one={one} />
        </section>
      )}
      <RawView value={one} />
    </Stack>
  )
}

/** What the import has come to, and what is next. */
function Summary({ one }: { readonly one: Import }) {
  const { t } = useTranslation('imports')
  const mayWrite = usePermission('importMembers')
  const upload = useImportUpload()
  const file = sentFileOf(one['import-id'])
  const counts = { count: one.accepted, formatted: formatNumber(one.accepted) }
  if (one.status === 'running') {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">{t('processing', { count: one.lines, formatted: formatNumber(one.lines) })}</Text>
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Text role="status">
        {one.status === 'broken' ? t('broken') : t(one['dry-run'] ? 'wouldBeAccepted' : 'wereAccepted', counts)}
      </Text>
      {one['dry-run'] && mayWrite && one.accepted > 0 && file !== undefined && (
        <div>
          <Button loading={upload.isPending} onClick={() => upload.start(file, false)}>
            {t('importNow', counts)}
          </Button>
        </div>
      )}
      {one['dry-run'] && mayWrite && file === undefined && <Text size="sm">{t('chooseAgain')}</Text>}
      <UploadProgress upload={upload} />
    </Stack>
  )
}

type Warning = NonNullable<ResponseBody<'readImport'>['warnings']>[number]

/** What the service tells of columns and cells that it has read. */
function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  const { t } = useTranslation('imports')
  const titles = {
    'unknown-column': t('unknownColumns'),
    'leading-zeros-restored': t('restoredZeros'),
    'amount-rounded': t('roundedAmounts'),
    'suspicious-text': t('suspiciousTexts'),
    'cell-error': t('cellErrors'),
    'hidden-row': t('hiddenRows'),
    'starts-with-primary': t('startsWithPrimary'),
  }
  return [...Map.groupBy(warnings, ({ warning }) => warning)].map(([warning, some]) => (
    <Alert key={warning} variant="default" title={titles[warning]}>
      <List size="sm">
        {some.map(({ field, line }) => (
          <List.Item key={`${field} ${line}`}>
            <Value>{line === undefined ? field : t('fieldOfLine', { field, line })}</Value>
          </List.Item>
        ))}
      </List>
    </Alert>
  ))
}
