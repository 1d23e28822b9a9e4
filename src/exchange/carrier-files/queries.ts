import { v7 as uuidv7 } from 'uuid'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { equals } from '#platform/core/parameters.ts'
import { type CarrierFileKind, type CarrierFileStatus, type InvoiceKind, MATCHED_BY } from '#kernel/reconciliation.ts'
import type { LayoutDirection } from '#registry/rules/layout.ts'
import { isUnmatched } from './line-queries.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { ReadCarrierFile } from './carrier-file.ts'
import type { FileQuery } from './schema.ts'

/** What reading a file needs of its contract. */
export interface ContractOfFile {
  readonly companyId: string
  readonly contractNumber: string
  readonly subContract: string
  readonly carrierCompanyCode: string | null
  readonly layouts: Partial<Readonly<Record<LayoutDirection, string>>>
}

export async function readContractOfFile(sql: Sql, contractId: string): Promise<ContractOfFile | null> {
  const rows = await sql.query<ContractOfFile>(
    `select company_id as "companyId", contract_number as "contractNumber", sub_contract as "subContract",
       carrier_company_code as "carrierCompanyCode", layouts
     from contract where id = $1`,
    [contractId],
  )
  return rows[0] ?? null
}

/** By what a file is the same as another. */
export interface FileKey {
  readonly companyId: string
  readonly contractId: string
  readonly kind: CarrierFileKind
  readonly referenceMonth: string
  readonly sha256: Buffer
}

/** The file with the same bytes; null: there is none. */
export async function findSameFile(
  sql: Sql,
  { companyId, contractId, kind, referenceMonth, sha256 }: FileKey,
): Promise<{ readonly id: string; readonly status: CarrierFileStatus } | null> {
  const rows = await sql.query<{ id: string; status: CarrierFileStatus }>(
    `select id, status from carrier_file
     where company_id = $1 and contract_id = $2 and kind = $3 and reference_month = $4 and sha256 = $5`,
    [companyId, contractId, kind, referenceMonth, sha256],
  )
  return rows[0] ?? null
}

export interface NewFile extends FileKey {
  readonly id: string
  readonly invoiceKind: InvoiceKind
  readonly layoutId: string
  readonly layoutVersion: number
  readonly size: number
  readonly name: string | null
  /** null: it is not stored. */
  readonly storageKey: string | null
  readonly createdBy: string
  readonly at: Date
}

/** Inserts a file that is being read. @throws a unique violation when another call has inserted it. */
export async function insertFile(sql: Sql, file: NewFile): Promise<void> {
  await sql.execute(
    `insert into carrier_file (company_id, id, contract_id, kind, invoice_kind, reference_month, layout_id, layout_version, sha256, size,
       name, storage_key, status, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'reading', $13, $14)`,
    [
      file.companyId,
      file.id,
      file.contractId,
      file.kind,
      file.invoiceKind,
      file.referenceMonth,
      file.layoutId,
      file.layoutVersion,
      file.sha256,
      file.size,
      file.name,
      file.storageKey,
      file.createdBy,
      file.at,
    ],
  )
}

/** Gives the workers a step of a file, or of a reconciliation. */
export async function insertFileWork(
  sql: Sql,
  kind: 'carrier-file' | 'reconciliation',
  { clientId }: Pick<ClientActor, 'clientId'>,
  companyId: string,
  id: string,
): Promise<void> {
  await sql.execute(
    `with new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $2, $3 where not exists (select 1 from work_client where client_id = $2)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, company_id, target_id, run_at, created_at) values ($1, $4, $2, $5, $6, now(), $3)
     )
     select pg_notify('vigencia_work', '')`,
    [uuidv7(), clientId, sql.now(), kind, companyId, id],
  )
}

/** A file that a worker reads. */
export interface FileToRead {
  readonly contractId: string
  readonly kind: CarrierFileKind
  readonly referenceMonth: string
  readonly layoutId: string
  readonly layoutVersion: number
  readonly storageKey: string | null
  readonly size: number
  readonly status: CarrierFileStatus
  readonly hasLines: boolean
}

const fileToRead = `select contract_id as "contractId", kind, reference_month as "referenceMonth", layout_id as "layoutId",
    layout_version as "layoutVersion", storage_key as "storageKey", size, status, lines is not null as "hasLines"
  from carrier_file where company_id = $1 and id = $2`

/** A file without a lock; null: there is none. */
export async function readFileToRead(sql: Sql, companyId: string, id: string): Promise<FileToRead | null> {
  return (await sql.query<FileToRead>(fileToRead, [companyId, id]))[0] ?? null
}

/** Locks a file until the transaction ends; null: there is none. */
export async function lockFile(sql: Sql, companyId: string, id: string): Promise<FileToRead | null> {
  return (await sql.query<FileToRead>(`${fileToRead} for update`, [companyId, id]))[0] ?? null
}

/** Stores what was read of a file. */
export async function updateCounts(sql: Sql, companyId: string, id: string, file: ReadCarrierFile): Promise<void> {
  await sql.execute(
    `update carrier_file set lines = $3, refused_lines = $4, other_lines = $5, declared_total = $6, computed_total = $7
     where company_id = $1 and id = $2`,
    [companyId, id, file.lines, file.refusedLines, file.otherLines, file.declaredTotal, file.computedTotal],
  )
}

/** Ends the reading of a file. @param problems null: it has been read. */
export async function endReading(
  sql: Sql,
  companyId: string,
  id: string,
  problems: readonly object[] | null,
  at: Date,
): Promise<void> {
  await sql.execute(
    `update carrier_file set status = $3, problems = $4::jsonb, read_at = $5 where company_id = $1 and id = $2`,
    [companyId, id, problems === null ? 'read' : 'failed', problems === null ? null : JSON.stringify(problems), at],
  )
}

/** Deletes a file with its lines. */
export async function deleteFileRows(sql: Sql, companyId: string, id: string): Promise<void> {
  await sql.execute('delete from carrier_line where company_id = $1 and file_id = $2', [companyId, id])
  await sql.execute('delete from carrier_file where company_id = $1 and id = $2', [companyId, id])
}

/** SQL: which of its month a `carrier_file` is; null: it is no invoice. */
export const invoiceKind = `case when carrier_file.kind = 'invoice' then carrier_file.invoice_kind end`

/** SQL of a CarrierFile over `carrier_file`, `contract`, `company` and `carrier`. */
const fileJson = `json_build_object('file-id', carrier_file.id, 'contract-id', contract.id, 'company-tax-id', company.tax_id,
  'company-name', company.name, 'carrier-name', carrier.name, 'contract-number', contract.contract_number,
  'sub-contract', contract.sub_contract, 'kind', carrier_file.kind, 'reference-month', carrier_file.reference_month,
  'invoice-kind', ${invoiceKind},
  'replaced-by', (select later.id from carrier_file later
    where later.company_id = carrier_file.company_id and later.contract_id = carrier_file.contract_id and later.kind = carrier_file.kind
      and later.kind <> 'roster' and later.reference_month = carrier_file.reference_month
      and later.invoice_kind = carrier_file.invoice_kind and later.status = 'read'
      and (later.created_at, later.id) > (carrier_file.created_at, carrier_file.id)
    order by later.created_at desc, later.id desc limit 1),
  'layout-id', carrier_file.layout_id, 'layout-version', carrier_file.layout_version, 'name', carrier_file.name,
  'size', carrier_file.size, 'sha256', encode(carrier_file.sha256, 'hex'), 'status', carrier_file.status,
  'is-stored', carrier_file.storage_key is not null, 'problems', coalesce(carrier_file.problems, '[]'), 'lines', carrier_file.lines,
  'refused-lines', carrier_file.refused_lines, 'other-lines', carrier_file.other_lines,
  'declared-total', carrier_file.declared_total, 'computed-total', carrier_file.computed_total,
  'total-differs', carrier_file.declared_total - carrier_file.computed_total,
  'reconciliation-id', (select reconciliation.id from reconciliation
    where reconciliation.company_id = carrier_file.company_id and reconciliation.carrier_file_id = carrier_file.id),
  'created-by', carrier_file.created_by, 'created-at', iso(carrier_file.created_at), 'read-at', iso(carrier_file.read_at)`
const matchesJson = `'matches', (
    select json_build_object(${MATCHED_BY.map((by) => `'${by}', count(*) filter (where carrier_line.matched_by = '${by}')`).join(', ')},
      'repaired-tax-id', count(*) filter (where carrier_line.tax_id_repaired and carrier_line.benefit_id is not null),
      'ambiguous', count(*) filter (where carrier_line.is_ambiguous),
      'total', count(*) filter (where carrier_line.kind = 'total'),
      'unmatched', count(*) filter (where ${isUnmatched} and not carrier_line.is_ambiguous and carrier_line.problems is null),
      'refused', count(*) filter (where carrier_line.problems is not null))
    from carrier_line where carrier_line.company_id = carrier_file.company_id and carrier_line.file_id = carrier_file.id)`

const joined = `carrier_file join contract on contract.company_id = carrier_file.company_id and contract.id = carrier_file.contract_id
  join company on company.id = carrier_file.company_id join carrier on carrier.id = contract.carrier_id`

/** `{ "result": file }`; null when there is none. */
export const readFile = readerOf({ from: joined, item: `${fileJson}, ${matchesJson})` })

/** A page of the files, the latest first. */
export const filePage = pages<FileQuery>({
  from: joined,
  item: `${fileJson})`,
  order: 'carrier_file.created_at desc, carrier_file.id desc',
  where: {
    'contract-id': equals('carrier_file.contract_id'),
    'company-tax-id': equals('company.tax_id'),
    kind: equals('carrier_file.kind'),
    'reference-month': equals('carrier_file.reference_month'),
    status: equals('carrier_file.status'),
  },
})

/** What the routes of a file need to know of it. */
export interface FileOfRoute {
  readonly companyId: string
  readonly contractId: string
  readonly kind: CarrierFileKind
  readonly referenceMonth: string
  readonly status: CarrierFileStatus
  readonly storageKey: string | null
  readonly size: number
  readonly name: string | null
  /** The comparison of the file; null: it was not compared. */
  readonly reconciliationId: string | null
}

/** @throws ApiError 404 */
export async function requireFile(sql: Sql, id: string): Promise<FileOfRoute> {
  const [file] = await sql.query<FileOfRoute>(
    `select carrier_file.company_id as "companyId", carrier_file.contract_id as "contractId", carrier_file.kind,
       carrier_file.reference_month as "referenceMonth", carrier_file.status, carrier_file.storage_key as "storageKey",
       carrier_file.size, carrier_file.name, reconciliation.id as "reconciliationId"
     from carrier_file left join reconciliation on reconciliation.company_id = carrier_file.company_id
       and reconciliation.carrier_file_id = carrier_file.id
     where carrier_file.id = $1`,
    [id],
  )
  if (file === undefined) throw new ApiError('carrier-file-not-found')
  return file
}
