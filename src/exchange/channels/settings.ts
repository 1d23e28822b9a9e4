import type { Actor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { templateErrors } from '../rules/channel.ts'
import type { Context } from '#platform/http/context.ts'
import { encryptSecret, makeWebhookSecret } from '#events/webhooks/signing.ts'
import { blockedTarget, mayCallHost, targetMessage, type TargetRules } from '#events/webhooks/ssrf-filter.ts'
import { lockContract, putChannel, readChannel, type StoredChannel, type StoredSettings } from './queries.ts'
import type { ChannelSettingsData, ChannelSettingsInput } from './schema.ts'
import { loadClient, type SftpServer } from './sftp.ts'

const defaultPort = 22

/** The purpose of an encrypted secret: it cannot be decrypted for another contract. */
const purposeOf = (contractId: string, name: 'password' | 'private-key') => `sftp-${name}:${contractId}`

/** Which addresses the service may call. */
export function targetRules({ config }: Context): TargetRules {
  return { httpsOnly: config.environment === 'production', allowPrivate: config.webhookAllowPrivate }
}

/** The server of a contract, with its secrets. */
export function sftpServer(
  { cipher }: Context,
  contractId: string,
  { settings, sftpPassword, sftpPrivateKey }: StoredChannel,
): SftpServer {
  const { host, port, user, 'host-key': hostKey } = required(settings.sftp, 'sftp')
  const decrypted = (name: 'password' | 'private-key', secret: Buffer | null) =>
    secret === null ? null : cipher.decrypt(purposeOf(contractId, name), secret).toString()
  return {
    host,
    port,
    user,
    hostKey,
    password: decrypted('password', sftpPassword),
    privateKey: decrypted('private-key', sftpPrivateKey),
  }
}

/** The settings of a contract without its secrets. @throws ApiError 404. */
export async function readChannelSettings({ database }: Context, contractId: string): Promise<ChannelSettingsData> {
  const found = await readChannel(database, contractId)
  if (found === null) throw new ApiError('contract-not-found')
  return settingsData(contractId, found.channel, null)
}

/**
 * Replaces the settings of a contract. A password and a private key that are not sent stay while the server is the same.
 * @throws ApiError 404, 400, 409 when the package for SFTP is not installed.
 */
export async function putChannelSettings(
  context: Context,
  actor: Actor,
  contractId: string,
  body: ChannelSettingsInput,
): Promise<ChannelSettingsData> {
  const errors = settingsErrors(body, targetRules(context))
  if (errors.length > 0) throw invalidBody(errors)
  if (body.sftp !== undefined) {
    await loadClient().catch(() => {
      throw new ApiError('sftp-not-installed')
    })
  }
  const lock = async (tx: Parameters<typeof lockContract>[0]) => lockContract(tx, contractId)
  return write(context, actor, { may: [], lock }, async (tx, companyId) => {
    if (companyId === null) throw new ApiError('contract-not-found')
    const stored = required(await readChannel(tx, contractId), 'contract').channel
    const secret = hasNewSecret(body, stored) ? makeWebhookSecret() : null
    const channel = channelOf(context, contractId, body, stored, secret)
    await putChannel(tx, companyId, contractId, channel, tx.at())
    tx.audit({ action: 'contract-channel.replaced', target: contractId, companyId })
    return settingsData(contractId, channel, secret)
  })
}

function settingsErrors({ email, sftp, connector }: ChannelSettingsInput, rules: TargetRules): Detail[] {
  const errors: Detail[] = []
  if (email !== undefined) {
    errors.push(...templateErrors('email.subject', email.subject), ...templateErrors('email.text', email.text))
  }
  if (sftp !== undefined && !mayCallHost(sftp.host, rules.allowPrivate)) {
    errors.push({ field: 'sftp.host', code: 'private-address', message: targetMessage('private-address', rules) })
  }
  const blocked = connector === undefined ? null : blockedTarget(connector.url, rules)
  if (blocked !== null) errors.push({ field: 'connector.url', code: blocked, message: targetMessage(blocked, rules) })
  return errors
}

function hasNewSecret({ connector }: ChannelSettingsInput, stored: StoredChannel | null): boolean {
  if (connector === undefined) return false
  return connector['new-secret'] === true || (stored?.connectorSecret ?? null) === null
}

function channelOf(
  { cipher }: Context,
  contractId: string,
  { deliver = 'by-hand', email, sftp, connector }: ChannelSettingsInput,
  stored: StoredChannel | null,
  secret: string | null,
): StoredChannel {
  const { password, 'private-key': privateKey, ...server } = sftp ?? {}
  // Another server does not get the secrets of the former one.
  const former = stored?.settings.sftp ?? null
  const isSame = former !== null && former.host === sftp?.host && former['host-key'] === sftp['host-key']
  const encrypted = (name: 'password' | 'private-key', sent: string | undefined, kept: Buffer | null | undefined) => {
    if (sftp === undefined) return null
    if (sent !== undefined) return cipher.encrypt(purposeOf(contractId, name), Buffer.from(sent))
    return isSame ? (kept ?? null) : null
  }
  const settings: StoredSettings = {
    deliver,
    email: email === undefined ? null : { ...email, cc: email.cc ?? [] },
    sftp: sftp === undefined ? null : ({ port: defaultPort, ...server } as StoredSettings['sftp']),
    connector: connector === undefined ? null : { url: connector.url },
  }
  const kept = connector === undefined ? null : (stored?.connectorSecret ?? null)
  return {
    settings,
    sftpPassword: encrypted('password', password, stored?.sftpPassword),
    sftpPrivateKey: encrypted('private-key', privateKey, stored?.sftpPrivateKey),
    connectorSecret: secret === null ? kept : encryptSecret(cipher, contractId, secret),
  }
}

function settingsData(contractId: string, channel: StoredChannel | null, secret: string | null): ChannelSettingsData {
  const { deliver, email, sftp, connector } = channel?.settings ?? noSettings
  const secrets = {
    'has-password': (channel?.sftpPassword ?? null) !== null,
    'has-private-key': (channel?.sftpPrivateKey ?? null) !== null,
  }
  return {
    'contract-id': contractId,
    deliver,
    email: email === null ? null : { ...email, to: [...email.to], cc: [...email.cc] },
    sftp: sftp === null ? null : { ...sftp, ...secrets },
    connector: connector === null ? null : { ...connector, secret },
  }
}

const noSettings: StoredSettings = { deliver: 'by-hand', email: null, sftp: null, connector: null }
