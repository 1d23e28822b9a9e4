import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { InvalidMembersError } from '@vigencia/client'
import type { Judged as JudgedBatch } from '../movement-forms/use-batch.ts'
import { useState } from 'react'
import type { StartOption } from '../../../../src/kernel/enums.ts'
import type { TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { tableTypeOf } from '../../api/table-type.ts'
import { type MovementClient, type SendOptions, useMovementClient } from '../movement-forms/client.ts'
import { useTableClient } from './client.ts'
import type { TableOfFile } from '../../tables/mapped-table.ts'
import type { Profile } from '../../tables/profile.ts'
import type { Mended } from '../../tables/mend-cell.tsx'
import { sheetAsCsv } from './sheet-text.ts'

type Batch = NonNullable<TableOfFile['batch']>
export type Judged = JudgedBatch & {
  readonly rejected: InvalidMembersError['members']
}

/** A table as the service has read it, and what it says of the people in it; `judged` is null while columns are missing. */
export interface ReadSheet {
  /** The id of this reading: what is sent of it is sent once. */
  readonly id: string
  readonly table: TableOfFile
  readonly judged: Judged | null
}

interface Reading {
  readonly file: File
  /** The one that was chosen; `file` may be its mended rows. */
  readonly chosen: File
  readonly headerRow: number | undefined
  readonly startOption: StartOption | undefined
}

const verbs = { inclusion: 'include', exclusion: 'exclude', alteration: 'alter' } as const

/**
 * Sends the batch. People with offenses are left out of what is sent, and are listed by a dry run.
 * @param key a repetition with the same one does nothing; null: a dry run.
 */
async function send(
  client: MovementClient,
  movement: TableMovement,
  batch: Batch,
  key: string | null,
): Promise<Judged> {
  const options: SendOptions = key === null ? { 'dry-run': true } : { handling: 'lenient', idempotencyKey: key }
  try {
    const body: JudgedBatch = await client[verbs[movement]](batch as never, options)
    return { ...body, rejected: (body as { result?: Judged['rejected'] }).result ?? [] }
  } catch (error) {
    if (!(error instanceof InvalidMembersError)) throw error
    const { warnings, 'missing-documents': missing } = error.body as Pick<Judged, 'warnings' | 'missing-documents'>
    return { ...(warnings && { warnings }), ...(missing && { 'missing-documents': missing }), rejected: error.members }
  }
}

/**
 * One spreadsheet: it is read and judged, mended, read and judged again, and sent.
 * @param onRead is called with a file that was chosen, once it is read.
 */
export function useSheet(
  companyTaxId: string,
  movement: TableMovement,
  onRead: (file: File, table: TableOfFile) => void,
) {
  const queryClient = useQueryClient()
  const client = useMovementClient()
  const tables = useTableClient()
  const profileKey = ['column-profile', companyTaxId]
  const profile = useQuery({
    queryKey: profileKey,
    queryFn: ({ signal }) => tables.columnProfile(companyTaxId, { signal }),
  })
  const [sheet, setSheet] = useState<ReadSheet | null>(null)
  const [reading, setReading] = useState<Reading | null>(null)
  const read = useMutation({
    mutationFn: async ({ file, headerRow, startOption }: Reading): Promise<ReadSheet> => {
      const query = {
        movement,
        'company-tax-id': companyTaxId,
        ...(headerRow === undefined ? {} : { 'header-row': headerRow }),
        ...(startOption === undefined ? {} : { 'start-option': startOption }),
      }
      const table = await tables.read(file, query, { type: tableTypeOf(file) })
      const isEmpty = table.batch === null || table.batch.members.length === 0
      const judged = isEmpty || table.batch === null ? null : await send(client, movement, table.batch, null)
      return { id: crypto.randomUUID(), table, judged }
    },
    onMutate: setReading,
    onSuccess: (result, { file, chosen }) => {
      setSheet(result)
      if (file === chosen) onRead(file, result.table)
    },
  })
  const again = (changed: Partial<Reading>) => {
    if (reading !== null) read.mutate({ ...reading, ...changed })
  }
  const save = useMutation({
    mutationFn: (changed: Profile) => tables.putColumnProfile(companyTaxId, changed),
    onSuccess: (result) => {
      queryClient.setQueryData(profileKey, result)
      again({})
    },
  })
  const request = useMutation({
    mutationFn: ({ batch, key }: { readonly batch: Batch; readonly key: string }) => send(client, movement, batch, key),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['listRequests'] }),
  })
  return {
    sheet,
    file: reading?.file ?? null,
    startOption: reading?.startOption,
    profile: profile.data ?? null,
    isReading: read.isPending,
    readError: read.error,
    choose: (file: File, startOption: StartOption | undefined) => {
      setSheet(null)
      request.reset()
      read.mutate({ file, chosen: file, headerRow: undefined, startOption })
    },
    again,
    /** Reads the rows with what was mended. */
    mend: (mended: Mended) => {
      if (sheet !== null) again({ file: sheetAsCsv(sheet.table, mended), headerRow: sheet.table['header-row'] })
    },
    /** Goes on with these lines, which were left out of what was sent. */
    keepOnly: (lines: ReadonlySet<number>) => {
      if (sheet === null) return
      const rows = sheet.table.rows.filter(({ line }) => lines.has(line))
      request.reset()
      again({ file: sheetAsCsv({ ...sheet.table, rows }, new Map()), headerRow: sheet.table['header-row'] })
    },
    saveProfile: save.mutate,
    isSaving: save.isPending,
    saveError: save.error,
    send: () => {
      if (sheet?.table.batch) request.mutate({ batch: sheet.table.batch, key: sheet.id })
    },
    isSending: request.isPending,
    sendError: request.error,
    sent: request.data ?? null,
    reset: () => {
      setSheet(null)
      setReading(null)
      read.reset()
      request.reset()
    },
  }
}

export type SheetState = ReturnType<typeof useSheet>
