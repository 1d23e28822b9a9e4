import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ResponseBody } from '@vigencia/client'
import { useState } from 'react'
import { sendFile } from '../../api/send-file.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { operationQuery } from '../../api/use-operation.ts'

/** How often the progress of a running import is read. */
export const pollMilliseconds = 1_000

export interface SentFile {
  readonly file: File
  /** The company whose column profile is applied; null: none. */
  readonly companyTaxId: string | null
}

/** The files of the imports of this visit, to import after a dry run. A File refers to the disk; its content is not in memory. */
const sentFiles = new Map<string, SentFile>()

/** The file of an import, if it was sent in this visit. */
export const sentFileOf = (importId: string): SentFile | undefined => sentFiles.get(importId)

interface Run {
  readonly importId: string
  readonly sent: SentFile
  readonly isDryRun: boolean
  readonly abort: AbortController
}

/** Sends a file as an import, and leads to the page of the import when it has finished. */
export function useImportUpload() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [fraction, setFraction] = useState(0)
  const send = useMutation({
    mutationFn: async ({ importId, sent: { file, companyTaxId }, isDryRun, abort }: Run) => {
      const query = new URLSearchParams({
        'import-id': importId,
        'dry-run': String(isDryRun),
        // Without control characters, which the service refuses.
        'file-name': file.name.replaceAll(/\p{C}/gu, '').slice(0, 200) || '-',
        ...(companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }),
      })
      const body = await sendFile({
        method: 'POST',
        path: `/operator/v1/member/import?${query.toString()}`,
        file,
        contentType: tableTypeOf(file),
        signal: abort.signal,
        onProgress: setFraction,
      })
      return body as ResponseBody<'readImport'>
    },
    onSuccess: async (body, { importId, sent }) => {
      sentFiles.set(importId, sent)
      queryClient.setQueryData(operationQuery('readImport', { path: [importId] }).queryKey, body)
      void queryClient.invalidateQueries({ queryKey: ['listImports'] })
      await navigate({ to: '/imports/$importId', params: { importId } })
    },
  })
  const isSent = send.isPending && fraction === 1
  const progress = useQuery({
    // The list, since the import itself is a 404 until the service has begun with it.
    ...operationQuery('listImports', {}),
    enabled: isSent,
    select: ({ result }) => result.find((one) => one['import-id'] === send.variables?.importId) ?? null,
    refetchInterval: pollMilliseconds,
  })
  return {
    start: (sent: SentFile, isDryRun: boolean) => {
      setFraction(0)
      send.mutate({ importId: crypto.randomUUID(), sent, isDryRun, abort: new AbortController() })
    },
    abort: () => send.variables?.abort.abort(new Error('aborted')),
    /** Forgets the error of the file before. */
    reset: send.reset,
    isPending: send.isPending,
    /** The sent fraction of the bytes of the file, from 0 to 1. */
    fraction,
    /** What the service has processed; null before. */
    processed: isSent ? (progress.data ?? null) : null,
    error: send.variables?.abort.signal.aborted ? null : send.error,
  }
}

export type ImportUpload = ReturnType<typeof useImportUpload>
