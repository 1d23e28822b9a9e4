import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sendFile } from '../../api/send-file.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { type RosterSync, type RosterSyncBody, useRosterClient } from './client.ts'

/** Makes the sync, of which the list is sent then. */
export type CreateSync = (body: RosterSyncBody) => Promise<RosterSync>

interface List {
  readonly body: RosterSyncBody
  readonly file: File
}

type Run = List & { readonly abort: AbortController }

const typeOf = (file: File) => (/\.json$/i.test(file.name) ? 'application/json' : tableTypeOf(file))

/** Sends a list: what it says, then its file. After a broken upload the file is sent again, to the same sync unless it says something else. */
export function useSendList(create: CreateSync, onSent: (id: string) => Promise<void>) {
  const { filePath, cancel } = useRosterClient()
  const [fraction, setFraction] = useState(0)
  const made = useRef<{ readonly key: string; readonly id: string } | null>(null)
  const send = useMutation({
    mutationFn: async ({ body, file, abort }: Run) => {
      setFraction(0)
      const key = JSON.stringify(body)
      if (made.current !== null && made.current.key !== key) {
        await cancel(made.current.id)
        made.current = null
      }
      made.current ??= { key, id: (await create(body))['roster-sync-id'] }
      const { id } = made.current
      // Without control characters, which the service refuses.
      const query = new URLSearchParams({ 'file-name': file.name.replaceAll(/\p{C}/gu, '').slice(0, 200) || '-' })
      await sendFile({
        method: 'PUT',
        path: `${filePath(id)}?${query.toString()}`,
        file,
        contentType: typeOf(file),
        signal: abort.signal,
        onProgress: setFraction,
      })
      return id
    },
    onSuccess: onSent,
  })
  return {
    start: (list: List) => send.mutate({ ...list, abort: new AbortController() }),
    abort: () => send.variables?.abort.abort(new Error('aborted')),
    isPending: send.isPending,
    /** The sent fraction of the bytes of the file, from 0 to 1. */
    fraction,
    error: send.variables?.abort.signal.aborted ? null : send.error,
  }
}
