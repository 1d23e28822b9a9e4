import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { saveFile } from '../../components/save-file.ts'

/** Saves the rejected lines as the service writes them: CSV with their offenses, or NDJSON for an import of NDJSON. */
export function ErrorFileButton({ importId }: { readonly importId: string }) {
  const { t } = useTranslation('imports')
  const save = useMutation({
    mutationFn: async () => {
      const file = await api.imports.errors(importId, { type: 'text/csv' })
      // The browser may write the parts of a Blob to its disk.
      const blob = await new Response(file.body).blob()
      const extension = file.type.startsWith('text/csv') ? 'csv' : 'ndjson'
      saveFile(`${t('errorFileName')}-${importId}.${extension}`, blob, file.type)
    },
  })
  return (
    <>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        {t('saveErrors')}
      </Button>
      {save.error !== null && <ErrorMessage error={save.error} />}
    </>
  )
}
