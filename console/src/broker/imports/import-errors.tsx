import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ResponseBody } from '@vigencia/client'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Mended } from '../../tables/mend-cell.tsx'
import { MendTable } from '../../tables/mend-table.tsx'
import { ErrorFileButton } from './error-file-button.tsx'
import { isMendable, mendedFile, mendedLines } from './mended-file.ts'
import { type RejectedLines, rejectedLinesQuery } from './rejected-lines.ts'
import { UploadProgress } from './upload-progress.tsx'
import { sentFileOf, useImportUpload } from './use-import-upload.ts'

/** The rejected lines of an import: as a file, and in a table to mend and send again. */
export function ImportErrors({ one }: { readonly one: ResponseBody<'readImport'> }) {
  const { t } = useTranslation('imports')
  const [count, setCount] = useState(0)
  const query = useQuery(rejectedLinesQuery(one['import-id'], one['column-profile']?.columns ?? [], setCount))
  return (
    <Stack gap="sm">
      {query.error !== null && <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Text role="status">{t('loadingErrors', { count, formatted: formatNumber(count) })}</Text>}
      {query.data !== undefined && <Mending one={one} rejected={query.data} />}
    </Stack>
  )
}

function Mending(props: { readonly one: ResponseBody<'readImport'>; readonly rejected: RejectedLines }) {
  const { one, rejected } = props
  const { 'import-id': importId, 'dry-run': wasDryRun, 'column-profile': profile } = one
  const { t } = useTranslation('imports')
  const mayWrite = usePermission('importMembers')
  const [mended, setMended] = useState<Mended>(new Map())
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isDryRun, setDryRun] = useState(true)
  const upload = useImportUpload()
  // A dry run has stored nothing: its right lines are sent again with the mended ones.
  const sent = wasDryRun ? sentFileOf(importId) : undefined
  const whole = isMendable(sent) ? sent : undefined
  const chosen = rejected.lines.flatMap((line) =>
    line.cells !== null && selected.has(String(line.line))
      ? [{ ...line, cells: mended.get(line.line) ?? line.cells }]
      : [],
  )
  const mend = useCallback((line: number, cells: readonly string[]) => {
    setMended((now) => new Map(now).set(line, cells))
    setSelected((now) => new Set(now).add(String(line)))
  }, [])
  const send = async () => {
    const file =
      whole === undefined
        ? new File([mendedLines(rejected, chosen)], `${t('mendedFileName')}.csv`, { type: 'text/csv' })
        : await mendedFile(whole, rejected, chosen)
    upload.start({ file, companyTaxId: sent?.companyTaxId ?? profile?.['company-tax-id'] ?? null }, isDryRun)
  }
  const help = whole === undefined ? (wasDryRun ? 'mendAloneHelp' : 'mendHelp') : 'mendWholeHelp'
  return (
    <>
      <Text size="sm">{t(mayWrite ? help : 'errorsHelp')}</Text>
      <Group gap="sm">
        {mayWrite && (
          <>
            <Button disabled={chosen.length === 0} loading={upload.isPending} onClick={() => void send()}>
              {chosen.length === 0
                ? t('sendNone')
                : t('sendMended', { count: chosen.length, formatted: formatNumber(chosen.length) })}
            </Button>
            <Checkbox
              label={t('dryRunFirst')}
              checked={isDryRun}
              onChange={({ currentTarget: { checked } }) => setDryRun(checked)}
            />
          </>
        )}
        <ErrorFileButton importId={importId} />
      </Group>
      <UploadProgress upload={upload} />
      <MendTable
        columns={rejected.columns}
        lines={rejected.lines}
        mended={mended}
        onMend={mayWrite ? mend : null}
        selected={selected}
        onSelect={setSelected}
      />
    </>
  )
}
