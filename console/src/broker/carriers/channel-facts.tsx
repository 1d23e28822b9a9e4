import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { type Fact, FactList } from '../../components/fact-list.tsx'
import { ButtonLink } from '../../components/link.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { ChannelSettings } from './channel-values.ts'

/** How shipments come to the carrier; of secrets only whether there is one. */
export function ChannelFacts({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation('carriers')
  const mayWrite = usePermission('putContractChannel')
  const settings = useOperation('readContractChannel', { path: [contractId] }).data?.result
  if (settings === undefined) return null
  const { deliver, email, sftp, connector } = settings
  const isSet = (has: boolean) => (has ? t('isSet') : <Value>—</Value>)
  const facts: readonly Fact[] = [
    { key: 'deliver', label: t('deliver'), value: t(`deliveries.${deliver}`) },
    ...emailFacts(email, t('form.email'), t('subject')),
    ...(sftp === null
      ? []
      : [
          { key: 'sftp', label: t('server'), value: <Value>{`${sftp.user}@${sftp.host}:${sftp.port}`}</Value> },
          { key: 'folder', label: t('folder'), value: <Value>{sftp['out-folder']}</Value> },
          { key: 'in-folder', label: t('inFolder'), value: <TextValue value={sftp['in-folder']} /> },
          { key: 'key', label: t('hostKey'), value: <Value>{sftp['host-key']}</Value> },
          { key: 'password', label: t('password'), value: isSet(sftp['has-password']) },
          { key: 'private-key', label: t('privateKey'), value: isSet(sftp['has-private-key']) },
        ]),
    ...(connector === null ? [] : [{ key: 'url', label: t('connector'), value: <Value>{connector.url}</Value> }]),
  ]
  return (
    <>
      <FactList facts={facts} />
      {mayWrite && (
        <ButtonLink
          to="/carriers/contracts/$contractId/channel"
          params={{ contractId }}
          size="xs"
          variant="default"
          mt="sm"
        >
          {t('editChannel')}
        </ButtonLink>
      )}
    </>
  )
}

function emailFacts(email: ChannelSettings['email'], to: string, subject: string): readonly Fact[] {
  if (email === null) return []
  return [
    { key: 'to', label: to, value: <Value>{[...email.to, ...email.cc].join(', ')}</Value> },
    { key: 'subject', label: subject, value: <Value>{email.subject}</Value> },
  ]
}
