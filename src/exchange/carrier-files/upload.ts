import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { requireOpenMonth } from '#money/months/open-month.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody, invalidParameter } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { deleteOrphan, storeFile } from '#registry/documents/orphans.ts'
import { claimOrphan } from '#registry/documents/queries.ts'
import type { CarrierFileKind, InvoiceKind } from '#kernel/reconciliation.ts'
import type { Context } from '#platform/http/context.ts'
import { findLayout, type Layout, lockLayout } from '#registry/layouts/queries.ts'
import { copyLines } from './line-rows.ts'
import {
  type ContractOfFile,
  deleteFileRows,
  type FileKey,
  findSameFile,
  insertFile,
  insertFileWork,
  type NewFile,
  readContractOfFile,
  updateCounts,
} from './queries.ts'
import type { CarrierFileTask } from './carrier-file.ts'
import { type OpenCarrierFile, withCarrierFile } from './file-in-thread.ts'

/** The roles that send carriers' files and compare them, beside `admin`. */
export const mayWriteFiles = ['analyst', 'finance'] as const
/** Those that read them. */
export const mayReadFiles = [...mayWriteFiles, 'auditor'] as const

/** What is said of a file when it is sent. */
export interface UploadedFile {
  readonly contractId: string
  readonly kind: CarrierFileKind
  readonly referenceMonth: string
  /** For an invoice; null: the main one. */
  readonly invoiceKind: InvoiceKind | null
  /** null: that of the contract. */
  readonly layoutId: string | null
  readonly name: string | null
  readonly bytes: Buffer
}

/**
 * Takes a file, which the workers read. The same bytes of the same contract, kind and month are the same file; one that failed is read again.
 * A file of co-participation is read at once and not stored: what people used is health data.
 * @returns its id, and whether it is new.
 * @throws ApiError 404, 400 or 415 for a file that cannot be used, 409 for one of another contract or month, 503.
 */
export async function uploadCarrierFile(
  context: Context,
  actor: ClientActor,
  upload: UploadedFile,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { contractId, kind, referenceMonth, bytes } = upload
  const contract = await readContractOfFile(context.database, contractId)
  if (contract === null) throw new ApiError('contract-not-found')
  if (upload.invoiceKind !== null && kind !== 'invoice') {
    throw invalidParameter([{ field: 'invoice-kind', code: 'not-applicable' }])
  }
  if (bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
  const layout = await layoutOf(context, upload, contract)
  const sha256 = createHash('sha256').update(bytes).digest()
  const key: FileKey = { companyId: contract.companyId, contractId, kind, referenceMonth, sha256 }
  const same = await findSameFile(context.database, key)
  if (same !== null && same.status !== 'failed') return { id: same.id, isNew: false }
  return withCarrierFile(taskOf(contract, upload, layout), bytes, undefined, async (file) => {
    requireThisFile(file)
    const stored =
      kind === 'coparticipation' ? null : (await storeFile(context, 'carrier', chunks(bytes), () => {})).key
    const id = uuidv7()
    const row = {
      ...key,
      id,
      invoiceKind: upload.invoiceKind ?? 'main',
      layoutId: layout['layout-id'],
      layoutVersion: layout.version,
      size: bytes.length,
      name: upload.name,
      storageKey: stored,
      createdBy: actor.clientId,
    }
    const rows = stored === null ? await Array.fromAsync(file.rows(key.companyId, id)) : []
    const kept = await insertUpload(context, actor, row, async (tx) => {
      for (const part of rows) await tx.copy(copyLines, part)
      if (stored === null) await updateCounts(tx, key.companyId, id, file.file)
    })
    if (kept !== id && stored !== null) await deleteOrphan(context, stored)
    return { id: kept, isNew: kept === id }
  })
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

export function taskOf(
  contract: Pick<ContractOfFile, 'contractNumber' | 'subContract' | 'carrierCompanyCode'>,
  { kind, referenceMonth }: Pick<CarrierFileTask, 'kind' | 'referenceMonth'>,
  { definition }: Pick<Layout, 'definition'>,
): CarrierFileTask {
  const { contractNumber, subContract, carrierCompanyCode } = contract
  const contractNumbers = [contractNumber, ...(carrierCompanyCode === null ? [] : [carrierCompanyCode])]
  return { definition, kind, contractNumbers, subContract, referenceMonth }
}

function requireThisFile({ file }: OpenCarrierFile): void {
  if (file.other !== null) throw new ApiError(file.other.code, { found: file.other.found })
  if (file.lines === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
}

/** @throws ApiError 400 without a layout and for one of another direction, 404 for an unknown one. */
async function layoutOf(
  { database }: Context,
  { kind, layoutId }: UploadedFile,
  { layouts }: ContractOfFile,
): Promise<Layout> {
  const id = layoutId ?? layouts[kind] ?? null
  if (id === null) throw invalidParameter([{ field: 'layout-id', code: 'missing' }])
  const layout = await findLayout(database, id)
  if (layout === null) throw new ApiError('layout-not-found')
  if (layout.direction !== kind) {
    const message = { key: 'layout-no-direction', direction: kind } as const
    throw invalidParameter([{ field: 'layout-id', code: 'invalid', message }])
  }
  return layout
}

/** Inserts the file and its work. @returns the id of the file, which is another one when another call was first. */
function insertUpload(
  context: Context,
  actor: ClientActor,
  row: Omit<NewFile, 'at'>,
  insertLines: (tx: Tx) => Promise<void>,
): Promise<string> {
  const { companyId, id, storageKey } = row
  return write(context, actor, { may: mayWriteFiles, retriesUniqueViolation: true }, async (tx) => {
    const same = await findSameFile(tx, row)
    if (same !== null && same.status !== 'failed') return same.id
    await requireOpenMonth(tx, companyId, row.referenceMonth)
    if (same !== null) await deleteFileRows(tx, companyId, same.id)
    await lockLayout(tx, row.layoutId, 'share')
    if (storageKey !== null && !(await claimOrphan(tx, storageKey))) throw new ApiError('carrier-storage-unavailable')
    await insertFile(tx, { ...row, at: tx.at() })
    await insertLines(tx)
    await insertFileWork(tx, 'carrier-file', actor, companyId, id)
    tx.audit({ action: 'carrier-file.uploaded', target: id, companyId })
    return id
  })
}
