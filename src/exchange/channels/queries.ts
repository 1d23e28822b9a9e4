import type { Sql } from '#platform/core/database.ts'
import { DELIVERY_CHANNELS, type DeliveryChannel } from '../rules/channel.ts'
import type { ChannelSettingsInput } from './schema.ts'

/** The settings of a contract's channels, as they are stored. */
export interface StoredSettings {
  readonly deliver: 'by-hand' | 'automatic'
  readonly email: (NonNullable<ChannelSettingsInput['email']> & { readonly cc: readonly string[] }) | null
  readonly sftp:
    | (Omit<NonNullable<ChannelSettingsInput['sftp']>, 'password' | 'private-key'> & { readonly port: number })
    | null
  readonly connector: { readonly url: string } | null
}

/** Encrypted; null: there is none. */
interface StoredSecrets {
  readonly sftpPassword: Buffer | null
  readonly sftpPrivateKey: Buffer | null
  readonly connectorSecret: Buffer | null
}

export interface StoredChannel extends StoredSecrets {
  readonly settings: StoredSettings
}

const columns = `contract_channel.settings, contract_channel.sftp_password as "sftpPassword",
  contract_channel.sftp_private_key as "sftpPrivateKey", contract_channel.connector_secret as "connectorSecret"`

/** The company of a contract and its settings, which are null where it has none; null when there is no such contract. */
export async function readChannel(
  sql: Sql,
  contractId: string,
): Promise<{ readonly companyId: string; readonly channel: StoredChannel | null } | null> {
  const [row] = await sql.query<{ companyId: string } & StoredChannel>(
    `select contract.company_id as "companyId", ${columns}
     from contract left join contract_channel on contract_channel.company_id = contract.company_id
       and contract_channel.contract_id = contract.id
     where contract.id = $1`,
    [contractId],
  )
  if (row === undefined) return null
  const { companyId, ...channel } = row
  return { companyId, channel: (row.settings as StoredSettings | null) === null ? null : channel }
}

/** Locks a contract, which serializes the writes of its settings. @returns its company; null when there is no such contract. */
export async function lockContract(sql: Sql, contractId: string): Promise<string | null> {
  const [found] = await sql.query<{ companyId: string }>(
    'select company_id as "companyId" from contract where id = $1',
    [contractId],
  )
  if (found === undefined) return null
  const lock = 'select from contract where company_id = $1 and id = $2 for no key update'
  await sql.query(lock, [found.companyId, contractId])
  return found.companyId
}

/** Inserts or replaces the settings of a contract. */
export async function putChannel(
  sql: Sql,
  companyId: string,
  contractId: string,
  { settings, sftpPassword, sftpPrivateKey, connectorSecret }: StoredChannel,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into contract_channel (company_id, contract_id, settings, sftp_password, sftp_private_key, connector_secret, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (company_id, contract_id) do update set settings = excluded.settings, sftp_password = excluded.sftp_password,
       sftp_private_key = excluded.sftp_private_key, connector_secret = excluded.connector_secret, updated_at = excluded.updated_at`,
    [companyId, contractId, JSON.stringify(settings), sftpPassword, sftpPrivateKey, connectorSecret, at],
  )
}

/** How a closed shipment of a contract is delivered. @returns channel null: its channel is none of the service, or has no settings. */
export async function readDeliveryChannel(
  sql: Sql,
  companyId: string,
  contractId: string,
): Promise<{ readonly channel: DeliveryChannel | null; readonly isAutomatic: boolean }> {
  const [row] = await sql.query<{ channel: string | null; settings: StoredSettings | null }>(
    `select contract.channel, contract_channel.settings
     from contract left join contract_channel on contract_channel.company_id = contract.company_id
       and contract_channel.contract_id = contract.id
     where contract.company_id = $1 and contract.id = $2`,
    [companyId, contractId],
  )
  const channel =
    DELIVERY_CHANNELS.find((channel) => channel === row?.channel && (row.settings?.[channel] ?? null) !== null) ?? null
  return { channel, isAutomatic: row?.settings?.deliver === 'automatic' }
}
