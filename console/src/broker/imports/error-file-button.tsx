import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { xlsxType } from '../../api/table-type.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'

const extensions = [
  ['text/csv', 'csv'],
  [xlsxType, 'xlsx'],
] as const

/** Saves the rejected lines as the service writes them: CSV or a workbook with their offenses, or NDJSON for an import of NDJSON. */
export function ErrorFileButton({ importId }: { readonly importId: string }) {
  const { t } = useTranslation('imports')
  const save = useMutation({
    mutationFn: async (type: (typeof extensions)[number][0]) => {
      const file = await api.imports.errors(importId, { type })
      // The browser may write the parts of a Blob to its disk.
      const blob = await new Response(file.body).blob()
      const extension = extensions.find(([known]) => file.type.startsWith(known))?.[1] ?? 'ndjson'
      saveFile(`${t('errorFileName')}-${importId}.${extension}`, blob, file.type)
    },
  })
  return (
    <>
      {extensions.map(([type, extension]) => (
        <Button
          key={type}
          variant="default"
          loading={save.isPending && save.variables === type}
          disabled={save.isPending}
          onClick={() => save.mutate(type)}
        >
          {t(extension === 'csv' ? 'saveErrors' : 'saveErrorsExcel')}
        </Button>
      ))}
      {save.error !== null && <ErrorMessage error={save.error} />}
    </>
  )
}
