import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Invoice } from '@vigencia/client'
import { useState } from 'react'
import type { InvoiceFileType } from '../../../../src/kernel/enums.ts'
import { sendFile } from '../../api/send-file.ts'
import { operationQuery } from '../../api/use-operation.ts'

/** A file that was chosen, until it is stored. */
export interface Draft {
  /** The id of the stored file: a second try replaces what the first one may have stored. */
  readonly id: string
  readonly file: File
  readonly type: InvoiceFileType
  /** null: none yet; only a payment slip has one. */
  readonly dueDate: string | null
  /** The sent fraction of the bytes; null while nothing is sent. */
  readonly fraction: number | null
  readonly error: Error | null
  readonly abort: AbortController | null
}

/** What a file of that name most likely is. */
function typeOf(name: string): InvoiceFileType {
  const guesses: readonly [RegExp, InvoiceFileType][] = [
    [/boleto/i, 'payment-slip'],
    [/copart/i, 'coparticipation-statement'],
    [/nfs?-?e|nota/i, 'service-invoice'],
    [/demonstrativo|anal[ií]tic|detalh/i, 'detailed-statement'],
    [/fatura|invoice/i, 'invoice'],
  ]
  return guesses.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

export const isReady = ({ type, dueDate, fraction }: Draft) =>
  fraction === null && (type !== 'payment-slip' || dueDate !== null)

/** The files that were chosen for an invoice, and their uploads. */
export function useUploads(invoice: Invoice, onStored: (name: string) => void) {
  const queryClient = useQueryClient()
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const change = (id: string, changed: Partial<Draft>) =>
    setDrafts((now) => now.map((draft) => (draft.id === id ? { ...draft, ...changed } : draft)))
  const remove = (id: string) => setDrafts((now) => now.filter((draft) => draft.id !== id))
  const upload = useMutation({
    mutationFn: async ({ draft, signal }: { readonly draft: Draft; readonly signal: AbortSignal }) => {
      const { id, file, type, dueDate } = draft
      const query = new URLSearchParams({ name: file.name, type })
      if (type === 'payment-slip' && dueDate !== null) query.set('payment-slip-due-date', dueDate)
      const body = await sendFile({
        method: 'PUT',
        path: `/operator/v1/invoice/${encodeURIComponent(invoice.id)}/file/${id}?${query.toString()}`,
        file,
        contentType: file.type || (type === 'payment-slip' ? 'application/pdf' : 'application/octet-stream'),
        signal,
        onProgress: (fraction) => change(id, { fraction }),
      })
      return (body as { readonly result: Invoice }).result
    },
    onSuccess: (result, { draft }) => {
      remove(draft.id)
      queryClient.setQueryData(operationQuery('readAnyInvoice', { path: [invoice.id] }).queryKey, { result })
      void queryClient.invalidateQueries({ queryKey: ['listAllInvoices'] })
      onStored(draft.file.name)
    },
    onError: (error, { draft, signal }) =>
      change(draft.id, { fraction: null, abort: null, error: signal.aborted ? null : error }),
  })
  return {
    drafts,
    change,
    remove,
    add: (files: readonly File[]) =>
      setDrafts((now) => [
        ...now,
        ...files.map((file) => {
          const type = typeOf(file.name)
          return {
            id: crypto.randomUUID(),
            file,
            type,
            dueDate: invoice['due-date'],
            fraction: null,
            error: null,
            abort: null,
          }
        }),
      ]),
    start: (draft: Draft) => {
      const abort = new AbortController()
      change(draft.id, { fraction: 0, error: null, abort })
      upload.mutate({ draft, signal: abort.signal })
    },
  }
}
