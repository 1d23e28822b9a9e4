import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type Company } from '@vigencia/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { WorkbookButton } from '../../components/workbook-button.tsx'
import type { TableOfFile } from '../../tables/mapped-table.ts'
import { useTableClient } from './client.ts'
import { SheetOfMovements } from './sheet-of-movements.tsx'

interface Props {
  readonly company: Company
  readonly movements: readonly TableMovement[]
  /** Leads to a request that was sent. */
  readonly request: (requestId: string) => ReactNode
}

/** Movements of a company by a spreadsheet, of one kind; of a workbook with sheets of several kinds each of them. */
export function MovementSheets({ company, movements, request }: Props) {
  const { t } = useTranslation('sheets')
  const tables = useTableClient()
  const [movement, setMovement] = useState<TableMovement>('inclusion')
  const kinds = useKinds(company, movements)
  const book = kinds.data
  const shown = book?.kinds.includes(movement) ? book.kinds : [movement]
  const query = { movement, 'company-tax-id': company['tax-id'] }
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('movement')}
          data={movements.map((value) => ({ value, label: t(`movements.${value}`) }))}
          value={movement}
          onChange={(next) => {
            if (!shown.includes(next)) kinds.reset()
            setMovement(next)
          }}
        />
        <WorkbookButton
          fileName={`${t(`templateName.${movement}`)}-${company['tax-id']}`}
          read={(options) => tables.template(query, options)}
        >
          {t('template')}
        </WorkbookButton>
      </Group>
      <Text size="sm" c="dimmed">
        {t(`help.${movement}`)}
      </Text>
      {kinds.error !== null && <ErrorMessage error={kinds.error} />}
      {shown.length > 1 && (
        <Group gap="xs" role="status">
          <Text size="sm">{t('otherKinds')}</Text>
          {shown
            .filter((one) => one !== movement)
            .map((one) => (
              <Button key={one} size="xs" variant="default" onClick={() => setMovement(one)}>
                {t(`movements.${one}`)}
              </Button>
            ))}
        </Group>
      )}
      {movements
        .filter((one) => shown.includes(one))
        .map((one) => (
          <div key={one} hidden={one !== movement}>
            <SheetOfMovements
              company={company}
              movement={one}
              book={book === undefined || one === book.first ? null : book.file}
              onRead={(file, table) => {
                if (file !== book?.file) kinds.mutate({ first: one, file, table })
              }}
              request={request}
            />
          </div>
        ))}
    </Stack>
  )
}

interface Chosen {
  readonly first: TableMovement
  readonly file: File
  readonly table: TableOfFile
}

/** Which kinds of movements a workbook has sheets of, beside those that were read of it as of the first kind. */
function useKinds(company: Company, movements: readonly TableMovement[]) {
  const tables = useTableClient()
  return useMutation({
    mutationFn: async ({ first, file, table }: Chosen) => {
      const notRead = table['sheets-not-read'] ?? []
      const kinds = [first]
      for (const movement of notRead.length === 0 ? [] : movements.filter((one) => one !== first)) {
        const query = { movement, 'company-tax-id': company['tax-id'] }
        // A workbook without a sheet of the kind is refused.
        const other = await tables.read(file, query, { type: tableTypeOf(file) }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 400) return null
          throw error
        })
        if (other === null) continue
        const read = other['sheets-read'] ?? [{ sheet: other.sheet ?? '' }]
        const isFound = other.missing.length === 0 && other['total-rows'] > 0
        if (isFound && read.every(({ sheet }) => notRead.includes(sheet))) kinds.push(movement)
      }
      return { first, file, kinds }
    },
  })
}
