import { Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { START_OPTIONS, type StartOption } from '../../../../src/kernel/enums.ts'
import type { TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { formatBytes } from '../../format/number.ts'
import { ColumnMapping } from '../../tables/column-mapping.tsx'
import { formOfTable } from '../../tables/mapping-form.ts'
import type { TableOfFile } from '../../tables/mapped-table.ts'
import { profileWith } from '../../tables/profile.ts'
import { SheetResult } from './sheet-result.tsx'
import { useSheet } from './use-sheet.ts'
import { FileDrop } from '../../components/file-drop.tsx'

const maxBytes = 16 * 1024 * 1024

/** A file to drop or choose, its columns where they are not known, and what the service says of its rows. */
export function SheetOfMovements(props: {
  readonly company: Company
  readonly movement: TableMovement
  /** A workbook with this kind beside another one, by which it was chosen. */
  readonly book: File | null
  readonly onRead: (file: File, table: TableOfFile) => void
  /** Leads to a request that was sent. */
  readonly request: (requestId: string) => ReactNode
}) {
  const { company, movement, book, request } = props
  const { t } = useTranslation(['sheets', 'tables', 'terms'])
  const state = useSheet(company['tax-id'], movement, props.onRead)
  const [isMapping, setMapping] = useState(false)
  const offered = START_OPTIONS.filter((option) =>
    company.products.some((one) => one['allowed-start-options'].includes(option)),
  )
  const [startOption, setStartOption] = useState<StartOption | undefined>(offered[0])
  const { sheet, profile } = state
  const choose = (file: File) => state.choose(file, movement === 'inclusion' ? startOption : undefined)
  const chooseBook = useEffectEvent(choose)
  useEffect(() => {
    if (book !== null) chooseBook(book)
  }, [book])
  const needsMapping = sheet !== null && (isMapping || sheet.table.missing.length > 0)
  return (
    <Stack gap="md">
      {movement === 'inclusion' && offered.length > 0 && (
        <NativeSelect
          label={t('startOption')}
          w={{ base: '100%', sm: '24rem' }}
          data={offered.map((value) => ({ value, label: t(`terms:startOption.${value}`) }))}
          value={startOption ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const chosen = offered.find((option) => option === value)
            setStartOption(chosen)
            state.again({ startOption: chosen })
          }}
        />
      )}
      <FileDrop
        label={t('chooseFile')}
        maxSize={maxBytes}
        disabled={state.isReading || state.isSending}
        onFile={(file) => {
          setMapping(false)
          choose(file)
        }}
        limit={t('fileLimit')}
        refused={t('refused')}
      >
        {t('dropHere')}
      </FileDrop>
      {state.file !== null && (
        <Group gap="sm">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <Value>
              {state.file.name} · {formatBytes(state.file.size)}
            </Value>
          </Text>
          {state.isReading && (
            <Group gap="xs" role="status">
              <Loader size="xs" aria-hidden />
              <Text size="sm">{t('reading')}</Text>
            </Group>
          )}
          {sheet !== null && !needsMapping && (
            <Button variant="default" size="xs" onClick={() => setMapping(true)}>
              {t('tables:editMapping')}
            </Button>
          )}
        </Group>
      )}
      {state.readError !== null && <ErrorMessage error={state.readError} onRetry={() => state.again({})} />}
      {needsMapping && profile !== null && (
        <ColumnMapping
          key={`${sheet.table['header-row']} ${JSON.stringify(sheet.table.columns)}`}
          form={formOfTable(
            movement,
            sheet.table,
            company.products.map((one) => one['product-name']),
          )}
          table={sheet.table}
          isSaving={state.isSaving || state.isReading}
          error={state.saveError}
          onHeaderRow={(headerRow) => state.again({ headerRow })}
          onSave={(choices) => {
            setMapping(false)
            state.saveProfile(profileWith(profile, choices))
          }}
          {...(sheet.table.missing.length === 0 ? { onClose: () => setMapping(false) } : {})}
        />
      )}
      {sheet !== null && !needsMapping && (
        <SheetResult
          key={sheet.id}
          company={company}
          movement={movement}
          state={state}
          sheet={sheet}
          request={request}
          onMapping={() => setMapping(true)}
        />
      )}
    </Stack>
  )
}
