import { Alert, Button, Paper } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { ColumnMapping } from '../../tables/column-mapping.tsx'
import { headOf } from '../../tables/head-of.ts'
import { formOfTable } from '../../tables/mapping-form.ts'
import { type Profile, profileWith } from '../../tables/profile.ts'

/** What the columns of a file stand for, where the service does not know all that it needs. A file that cannot be read is refused when it is sent. */
export default function ImportMapping(props: {
  readonly file: File
  readonly companyTaxId: string | null
  /** Whether the file lacks columns: it would be refused as it is. */
  readonly onIncomplete: (isIncomplete: boolean) => void
}) {
  const { file, companyTaxId, onIncomplete } = props
  const { t } = useTranslation('tables')
  const queryClient = useQueryClient()
  const [headerRow, setHeaderRow] = useState<number | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const query = {
    ...(companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }),
    ...(headerRow === undefined ? {} : { 'header-row': headerRow }),
  }
  const table = useQuery({
    queryKey: ['readImportTable', file.name, file.size, file.lastModified, query],
    queryFn: async ({ signal }) => api.imports.table(await headOf(file), query, { type: tableTypeOf(file), signal }),
    retry: false,
    gcTime: 0,
  })
  const isKnown = companyTaxId !== null
  const profile = useQuery({ ...operationQuery('readColumnProfile', { path: [companyTaxId ?? ''] }), enabled: isKnown })
  const company = useQuery({ ...operationQuery('readAnyCompany', { path: [companyTaxId ?? ''] }), enabled: isKnown })
  const save = useMutation({
    mutationFn: (changed: Profile) => api.imports.putColumnProfile(companyTaxId ?? '', changed),
    onSuccess: async () => {
      setOpen(false)
      notifyDone(t('remembered'))
      await queryClient.invalidateQueries({ queryKey: ['readColumnProfile'] })
      await queryClient.invalidateQueries({ queryKey: ['readImportTable'] })
    },
  })
  const isIncomplete = table.data !== undefined && table.data.missing.length > 0
  useEffect(() => onIncomplete(isIncomplete), [isIncomplete, onIncomplete])
  if (table.data === undefined) return null
  const needsMapping = table.data.missing.length > 0 || table.data['unknown-values'].length > 0
  if (!isKnown) {
    return (
      needsMapping && (
        <Alert color="orange" variant="outline" role="status">
          {t('chooseCompany')}
        </Alert>
      )
    )
  }
  if (profile.data === undefined || company.data === undefined) return null
  if (!isOpen && table.data.missing.length === 0) {
    return (
      <div>
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {t('editMapping')}
        </Button>
      </div>
    )
  }
  return (
    <Paper withBorder p="md">
      <ColumnMapping
        key={`${table.dataUpdatedAt} ${table.data['header-row']}`}
        form={formOfTable(
          'import',
          table.data,
          company.data.result.products.map((one) => one['product-name']),
        )}
        table={table.data}
        isSaving={save.isPending}
        error={save.error}
        onHeaderRow={setHeaderRow}
        onSave={(choices) => save.mutate(profileWith(profile.data.result, choices))}
        {...(table.data.missing.length === 0 ? { onClose: () => setOpen(false) } : {})}
      />
    </Paper>
  )
}
