import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
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
  const facts: Facts = [
    fact(t('deliver'), t(`deliveries.${deliver}`)),
    ...emailFacts(email, t('form.email'), t('subject')),
    ...(sftp === null
      ? []
      : [
          fact(t('server'), <Value>{`${sftp.user}@${sftp.host}:${sftp.port}`}</Value>),
          fact(t('folder'), <Value>{sftp['out-folder']}</Value>),
          fact(t('inFolder'), <TextValue value={sftp['in-folder']} />),
          fact(t('hostKey'), <Value>{sftp['host-key']}</Value>),
          fact(t('password'), isSet(sftp['has-password'])),
          fact(t('privateKey'), isSet(sftp['has-private-key'])),
        ]),
    connector !== null && fact(t('connector'), <Value>{connector.url}</Value>),
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

function emailFacts(email: ChannelSettings['email'], to: string, subject: string): Facts {
  if (email === null) return []
  return [
    fact(to, <Value>{[...email.to, ...email.cc].join(', ')}</Value>),
    fact(subject, <Value>{email.subject}</Value>),
  ]
}
