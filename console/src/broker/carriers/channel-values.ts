import type { RequestBody, ResponseBody } from '@vigencia/client'
import type { DELIVERY_MODES } from '../../../../src/exchange/rules/channel.ts'

export type ChannelSettings = ResponseBody<'readContractChannel'>['result']
type ChannelBody = RequestBody<'putContractChannel'>

/** The form of the channels of a contract. Of each that is not there, the fields are kept while it is switched off. */
export interface ChannelValues {
  readonly deliver: (typeof DELIVERY_MODES)[number]
  readonly hasEmail: boolean
  /** Addresses as people write them, with commas. */
  readonly email: { readonly to: string; readonly cc: string; readonly subject: string; readonly text: string }
  readonly hasSftp: boolean
  readonly sftp: {
    readonly host: string
    /** '' where the input is empty. */
    readonly port: number | string
    readonly user: string
    readonly 'host-key': string
    readonly 'out-folder': string
    readonly 'in-folder': string
    /** '': what the service has stays. */
    readonly password: string
    readonly 'private-key': string
  }
  readonly hasConnector: boolean
  readonly connector: { readonly url: string; readonly 'new-secret': boolean }
}

/** @param template of the first e-mail, in the language of the operator. */
export function channelValuesOf(
  { deliver, email, sftp, connector }: ChannelSettings,
  template: { readonly subject: string; readonly text: string },
): ChannelValues {
  return {
    deliver,
    hasEmail: email !== null,
    email: {
      to: email?.to.join(', ') ?? '',
      cc: email?.cc.join(', ') ?? '',
      subject: email?.subject ?? template.subject,
      text: email?.text ?? template.text,
    },
    hasSftp: sftp !== null,
    sftp: {
      host: sftp?.host ?? '',
      port: sftp?.port ?? 22,
      user: sftp?.user ?? '',
      'host-key': sftp?.['host-key'] ?? '',
      'out-folder': sftp?.['out-folder'] ?? '',
      'in-folder': sftp?.['in-folder'] ?? '',
      password: '',
      'private-key': '',
    },
    hasConnector: connector !== null,
    connector: { url: connector?.url ?? '', 'new-secret': false },
  }
}

const addresses = (text: string) => text.split(/[,;\s]+/).filter((address) => address !== '')

/** What the service takes; it judges whether it is complete. Secrets that were not written are left out, so that they stay. */
export function channelBodyOf(values: ChannelValues): ChannelBody {
  const { email, sftp, connector } = values
  const inFolder = sftp['in-folder'].trim()
  return {
    deliver: values.deliver,
    ...(values.hasEmail && {
      email: { to: addresses(email.to), cc: addresses(email.cc), subject: email.subject.trim(), text: email.text },
    }),
    ...(values.hasSftp && {
      sftp: {
        host: sftp.host.trim(),
        port: Number(sftp.port),
        user: sftp.user.trim(),
        'host-key': sftp['host-key'].trim(),
        'out-folder': sftp['out-folder'].trim(),
        ...(inFolder !== '' && { 'in-folder': inFolder }),
        ...(sftp.password !== '' && { password: sftp.password }),
        ...(sftp['private-key'] !== '' && { 'private-key': sftp['private-key'] }),
      },
    }),
    ...(values.hasConnector && {
      connector: { url: connector.url.trim(), ...(connector['new-secret'] && { 'new-secret': true }) },
    }),
  }
}
