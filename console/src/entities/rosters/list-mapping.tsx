import { Button, Paper } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Company } from '@vigencia/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { columnsOf } from '../../../../src/movements/rules/column-profile.ts'
import { ROSTER_FORM } from '../../../../src/movements/rules/roster-columns.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { notifyDone } from '../../components/notify.ts'
import { ColumnMapping } from '../../tables/column-mapping.tsx'
import { headOf } from '../../tables/head-of.ts'
import type { TableOfFile } from '../../tables/mapped-table.ts'
import { formOfTable } from '../../tables/mapping-form.ts'
import { type Profile, profileWith } from '../../tables/profile.ts'
import { useTableClient } from '../movement-sheets/client.ts'

/** The table with what its headings stand for in a list: that has more columns than an inclusion, and needs fewer. */
function asList(table: TableOfFile, profile: Profile): TableOfFile {
  const columnOf = columnsOf(profile, ROSTER_FORM)
  const columns = table.columns.map((one) => ({ ...one, field: columnOf(one.heading)?.name ?? null }))
  const found = new Set(columns.map(({ field }) => field))
  return { ...table, columns, missing: ROSTER_FORM.required.filter((field) => !found.has(field)) }
}

/** What the columns of a list stand for, where the service does not know all that it needs. A file that cannot be read is refused when it is compared. */
export function ListMapping(props: {
  readonly file: File
  readonly company: Company
  /** Whether the list lacks columns: it would be refused as it is. */
  readonly onIncomplete: (isIncomplete: boolean) => void
}) {
  const { file, company, onIncomplete } = props
  const { t } = useTranslation('tables')
  const queryClient = useQueryClient()
  const tables = useTableClient()
  const companyTaxId = company['tax-id']
  const [headerRow, setHeaderRow] = useState<number | undefined>(undefined)
  // null: as the file needs it.
  const [isAsked, setAsked] = useState<boolean | null>(null)
  const query = {
    movement: 'inclusion' as const,
    'company-tax-id': companyTaxId,
    ...(headerRow === undefined ? {} : { 'header-row': headerRow }),
  }
  const read = useQuery({
    queryKey: ['rosterTable', file.name, file.size, file.lastModified, query],
    queryFn: async ({ signal }) => {
      const head = new File([await headOf(file)], file.name)
      return tables.read(head, query, { type: tableTypeOf(file), signal })
    },
    retry: false,
    gcTime: 0,
  })
  const profileKey = ['column-profile', companyTaxId]
  const profile = useQuery({
    queryKey: profileKey,
    queryFn: ({ signal }) => tables.columnProfile(companyTaxId, { signal }),
  })
  const save = useMutation({
    mutationFn: (changed: Profile) => tables.putColumnProfile(companyTaxId, changed),
    onSuccess: async (saved) => {
      setAsked(false)
      notifyDone(t('remembered'))
      queryClient.setQueryData(profileKey, saved)
      await queryClient.invalidateQueries({ queryKey: ['rosterTable'] })
    },
  })
  const table = read.data === undefined || profile.data === undefined ? undefined : asList(read.data, profile.data)
  const isIncomplete = table !== undefined && table.missing.length > 0
  useEffect(() => onIncomplete(isIncomplete), [isIncomplete, onIncomplete])
  if (table === undefined || profile.data === undefined) return null
  const isUnclear =
    table['unknown-values'].length > 0 ||
    table.columns.some(({ field, proposed }) => field === null && proposed !== null)
  if (!(isAsked ?? isUnclear) && !isIncomplete) {
    return (
      <div>
        <Button variant="default" size="xs" onClick={() => setAsked(true)}>
          {t('editMapping')}
        </Button>
      </div>
    )
  }
  const known = profile.data
  return (
    <Paper withBorder p="md">
      <ColumnMapping
        key={`${read.dataUpdatedAt} ${profile.dataUpdatedAt} ${table['header-row']}`}
        form={formOfTable(
          'roster',
          table,
          company.products.map((one) => one['product-name']),
        )}
        table={table}
        isSaving={save.isPending}
        error={save.error}
        onHeaderRow={setHeaderRow}
        onSave={(choices) => save.mutate(profileWith(known, choices))}
        {...(isIncomplete ? {} : { onClose: () => setAsked(false) })}
      />
    </Paper>
  )
}
