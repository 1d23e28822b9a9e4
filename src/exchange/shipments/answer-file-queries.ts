import type { Sql } from '#platform/core/database.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { ShipmentStatus } from '#kernel/broker-enums.ts'

/* The statements of files that carriers put on servers. */

export interface PolledContract {
  readonly companyId: string
  readonly contractId: string
}

/** A file of a folder, by what tells that it is the same. */
interface AnswerFile {
  readonly name: string
  readonly size: number
  readonly modified: number
}

/** Claims contracts whose folder was not read for a while, and that have a shipment without all its answers; of all companies. */
export async function claimFolders(sql: Sql, now: Date, before: Date, limit: number): Promise<PolledContract[]> {
  return sql.query<PolledContract>(
    `update contract_channel set polled_at = $1
     where (company_id, contract_id) in (
       select contract_channel.company_id, contract_channel.contract_id from contract_channel
       join contract on contract.company_id = contract_channel.company_id and contract.id = contract_channel.contract_id
       where contract.channel = 'sftp' and contract_channel.settings -> 'sftp' ->> 'in-folder' is not null
         and (contract_channel.polled_at is null or contract_channel.polled_at <= $2)
         and exists (
           select 1 from shipment where shipment.company_id = contract.company_id and shipment.contract_id = contract.id
             and shipment.status in ('sent', 'partly-acknowledged'))
       order by contract_channel.polled_at nulls first limit $3)
       and (polled_at is null or polled_at <= $2)
     returning company_id as "companyId", contract_id as "contractId"`,
    [now, before, limit],
  )
}

/** Where the files of a contract come; several contracts of a carrier may have the same. */
export interface AnswerFolder {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly 'in-folder': string
}

/** A shipment that a file may answer. */
export interface AnswerableShipment {
  readonly id: string
  readonly contractId: string
  readonly number: number
  readonly status: ShipmentStatus
  readonly fileName: string
  /** Who sent it; null: it is not sent yet. */
  readonly sender: ClientActor | null
}

/**
 * From all contracts with a folder: the shipments whose file has a name that the file’s begins with, and those that the carrier has not
 * answered completely.
 */
export async function readAnswerableShipments(
  sql: Sql,
  { host, port, user, 'in-folder': folder }: AnswerFolder,
  name: string,
): Promise<AnswerableShipment[]> {
  const rows = await sql.query<
    Omit<AnswerableShipment, 'sender'> & { clientId: string | null; address: string; traceId: string }
  >(
    `select shipment.id, shipment.contract_id as "contractId", shipment.number, shipment.status, shipment_file.name as "fileName",
       shipment.sent_by as "clientId", shipment.sent_address as address, shipment.sent_trace_id as "traceId"
     from contract_channel
     join shipment on shipment.company_id = contract_channel.company_id and shipment.contract_id = contract_channel.contract_id
     join shipment_file on shipment_file.company_id = shipment.company_id and shipment_file.shipment_id = shipment.id
     where contract_channel.settings -> 'sftp' @> $1::jsonb
       and (shipment.status in ('sent', 'partly-acknowledged')
         or starts_with(lower($2), lower(regexp_replace(shipment_file.name, '\\.[^.]*$', ''))))
     order by shipment.number`,
    [JSON.stringify({ host, port, user, 'in-folder': folder }), name],
  )
  return rows.map(({ clientId, address, traceId, ...shipment }) => ({
    ...shipment,
    sender: clientId === null ? null : { kind: 'operator', clientId, origin: { address, traceId } },
  }))
}

/** What became of a file that was read before; null: it is new. */
export async function readAnswerFile(
  sql: Sql,
  { companyId, contractId }: PolledContract,
  { name, size, modified }: AnswerFile,
): Promise<{ readonly error: string | null } | null> {
  const [row] = await sql.query<{ error: string | null }>(
    `select error from shipment_answer_file
     where company_id = $1 and contract_id = $2 and name = $3 and size = $4 and modified = $5`,
    [companyId, contractId, name, size, modified],
  )
  return row ?? null
}

/** Stores that a file was read. @throws a unique violation when another process has read it. */
export async function insertAnswerFile(
  sql: Sql,
  { companyId, contractId }: PolledContract,
  { name, size, modified }: AnswerFile,
  shipmentId: string,
  error: string | null,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into shipment_answer_file (company_id, contract_id, name, size, modified, shipment_id, error, read_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [companyId, contractId, name, size, modified, shipmentId, error, at],
  )
}

/** Lists a file that could not be used among the deliveries of its shipment, which must be locked. */
export async function insertFailedAnswer(
  sql: Sql,
  companyId: string,
  shipmentId: string,
  { clientId, origin }: ClientActor,
  error: string,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into shipment_delivery (company_id, shipment_id, attempt, step, channel, status, requested_by, requested_address,
       requested_trace_id, attempted_at, error, created_at)
     select $1, $2, coalesce((select max(attempt) from shipment_delivery where company_id = $1 and shipment_id = $2), 0) + 1, 1, 'sftp',
       'failed', $3, $4, $5, $7, $6, $7`,
    [companyId, shipmentId, clientId, origin.address, origin.traceId, error, at],
  )
}
