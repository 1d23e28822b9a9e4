import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { AwaitsApproval } from '../movement-forms/batch-review.tsx'
import { useTableClient } from './client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { Mended, WrongLine } from '../../tables/mend-cell.tsx'
import { MendTable } from '../../tables/mend-table.tsx'
import { errorsAsCsv } from './sheet-text.ts'
import type { ReadSheet, SheetState } from './use-sheet.ts'
import { wrongLinesOf } from './wrong-lines.ts'
import { SectionTitle } from '../../components/section-title.tsx'

interface Props {
  readonly company: Company
  readonly movement: TableMovement
  readonly state: SheetState
  readonly sheet: ReadSheet
  readonly onMapping: () => void
  /** Leads to the request. */
  readonly request: (requestId: string) => ReactNode
}

/** What the service says of a table: how many people can be sent, and the lines to mend. */
export function SheetResult(props: Props) {
  const { state, sheet, movement } = props
  const { t } = useTranslation('sheets')
  const [mended, setMended] = useState<Mended>(new Map())
  const wrong = useMemo(() => wrongLinesOf(sheet, movement, t), [sheet, movement, t])
  const people = sheet.table['member-lines'].length - (sheet.judged?.rejected.length ?? 0)
  const counts = { count: people, formatted: formatNumber(people) }
  const lines = { count: wrong.length, formatted: formatNumber(wrong.length) }
  const requestId = state.sent?.['request-id']
  if (requestId !== undefined) return <Sent {...props} requestId={requestId} wrong={wrong} />
  if (state.sent?.approval !== undefined) return <AwaitsApproval />
  return (
    <Stack gap="md">
      <Alert color={wrong.length === 0 ? 'green' : 'orange'} role="status" title={t('validated')}>
        {t('rightPeople', counts)} {wrong.length > 0 && t('wrongLines', lines)} {t('nothingSent')}
      </Alert>
      <SheetsNotRead sheet={sheet} />
      <UnknownWords sheet={sheet} onMapping={props.onMapping} />
      <MissingDocuments sheet={sheet} />
      {state.sendError !== null && <ErrorMessage error={state.sendError} />}
      <Group gap="sm">
        {people > 0 && (
          <Button disabled={mended.size > 0 || state.isReading} loading={state.isSending} onClick={state.send}>
            {t(wrong.length === 0 ? 'send' : 'sendRight', counts)}
          </Button>
        )}
        {wrong.length > 0 && (
          <>
            <Button
              variant={mended.size > 0 ? 'filled' : 'default'}
              disabled={mended.size === 0}
              loading={state.isReading}
              onClick={() => state.mend(mended)}
            >
              {t('validateMended')}
            </Button>
            <ErrorBook {...props} wrong={wrong} mended={mended} />
          </>
        )}
      </Group>
      {wrong.length > 0 && (
        <section>
          <SectionTitle>{t('toMend')}</SectionTitle>
          <Text size="sm" mb="xs">
            {t('mendHelp')}
          </Text>
          <MendTable
            columns={sheet.table.columns}
            lines={wrong}
            mended={mended}
            onMend={(line, cells) => setMended((now) => new Map(now).set(line, cells))}
          />
        </section>
      )}
    </Stack>
  )
}

/** The lines to mend as a workbook: corrected, it is sent as any other. */
function ErrorBook(props: Props & { readonly wrong: readonly WrongLine[]; readonly mended: Mended }) {
  const { company, movement, sheet, wrong, mended } = props
  const { t } = useTranslation('sheets')
  const tables = useTableClient()
  const save = useMutation({
    mutationFn: async () => {
      const file = errorsAsCsv(sheet.table, wrong, mended)
      const query = { movement, 'company-tax-id': company['tax-id'], 'header-row': 1 }
      const book = await tables.workbook(file, query)
      saveFile(`${t('errorBookName')}.xlsx`, await new Response(book.body).blob(), book.type)
    },
  })
  return (
    <>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        {t('errorBook')}
      </Button>
      {save.error !== null && <ErrorMessage error={save.error} />}
    </>
  )
}

/** Other sheets of the workbook, such as those of another kind of movement. */
function SheetsNotRead({ sheet }: Pick<Props, 'sheet'>) {
  const { t } = useTranslation('sheets')
  const names = sheet.table['sheets-not-read'] ?? []
  if (names.length === 0) return null
  return (
    <Text size="sm">
      {t('sheetsNotRead')} <Value>{names.join(', ')}</Value>
    </Text>
  )
}

/** Words that no field has: what they stand for is said once, for all lines. */
function UnknownWords({ sheet, onMapping }: Pick<Props, 'sheet' | 'onMapping'>) {
  const { t } = useTranslation('sheets')
  const values = sheet.table['unknown-values']
  if (values.length === 0) return null
  return (
    <Group gap="sm">
      <Text size="sm">
        {t('unknownWords')}{' '}
        <Value>
          {values
            .slice(0, maxWords)
            .map(({ value }) => `“${value}”`)
            .join(', ')}
        </Value>
      </Text>
      <Button variant="default" size="xs" onClick={onMapping}>
        {t('mapWords')}
      </Button>
    </Group>
  )
}

const maxWords = 5

/** What will be asked for after the sheet was sent: a sheet has no documents. */
function MissingDocuments({ sheet }: { readonly sheet: ReadSheet }) {
  const { t } = useTranslation('sheets')
  const missing = sheet.judged?.['missing-documents'] ?? []
  if (missing.length === 0) return null
  const byMessage = [...Map.groupBy(missing, ({ message }) => message)]
  return (
    <Alert variant="default" title={t('documents')}>
      <List size="sm">
        {byMessage.map(([message, some]) => (
          <List.Item key={message}>
            <Value>{message}</Value> ({t('people', { count: some.length, formatted: formatNumber(some.length) })})
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t('documentsLater')}
      </Text>
    </Alert>
  )
}

function Sent(props: Props & { readonly requestId: string; readonly wrong: readonly WrongLine[] }) {
  const { state, requestId, wrong } = props
  const { t } = useTranslation('sheets')
  const lines = { count: wrong.length, formatted: formatNumber(wrong.length) }
  return (
    <Stack gap="md">
      <Alert color="green" role="status" title={t('sent')}>
        {t('sentHelp')} {wrong.length > 0 && t('notSent', lines)}
      </Alert>
      <Group gap="sm">
        {props.request(requestId)}
        {wrong.length > 0 && (
          <Button
            variant="default"
            loading={state.isReading}
            onClick={() => state.keepOnly(new Set(wrong.map(({ line }) => line)))}
          >
            {t('mendRest', lines)}
          </Button>
        )}
        <Button variant="default" onClick={state.reset}>
          {t('another')}
        </Button>
      </Group>
    </Stack>
  )
}
