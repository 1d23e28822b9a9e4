import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Download } from '@vigencia/client'
import { xlsxType } from '../api/table-type.ts'
import { ErrorMessage } from './error-message.tsx'
import { saveFile } from './save-file.ts'

interface Workbook {
  /** Without its extension. */
  readonly fileName: string
  /** Reads what the service writes as a workbook for these headers. */
  readonly read: (options: { readonly headers: { readonly accept: string } }) => Promise<Download>
}

/** Saves a workbook of the service. A link cannot ask for one: the format is in a header. */
export function useWorkbook({ fileName, read }: Workbook) {
  return useMutation({
    mutationFn: async () => {
      const file = await read({ headers: { accept: xlsxType } })
      // The browser may write the parts of a Blob to its disk.
      saveFile(`${fileName}.xlsx`, await new Response(file.body).blob(), file.type)
    },
  })
}

/** A button that saves a workbook. */
export function WorkbookButton({
  fileName,
  read,
  children,
  ...props
}: Workbook & ButtonProps & { readonly children: string }) {
  const save = useWorkbook({ fileName, read })
  return (
    <>
      {save.error !== null && <ErrorMessage error={save.error} />}
      <Button
        variant="default"
        {...props}
        loading={save.isPending}
        onClick={({ currentTarget }) => {
          // Enter opens the marked row of a table then, not this button again.
          currentTarget.blur()
          save.mutate()
        }}
      >
        {children}
      </Button>
    </>
  )
}
