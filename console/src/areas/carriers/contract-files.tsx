import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { FactList } from '../../components/fact-list.tsx'
import { TextValue, Value } from '../../components/value.tsx'
import { directions } from '../layouts/layout.ts'
import type { Contract } from './contract-values.ts'

/** The layouts of the files of a contract. */
export function ContractLayouts({ layouts }: { readonly layouts: Contract['layouts'] }) {
  const { t } = useTranslation(['layouts', 'carriers'])
  const known = useOperation('listLayouts', { query: { 'items-per-page': 500 } }).data?.result ?? []
  return (
    <FactList
      facts={directions.map((direction) => {
        const id = layouts[direction]
        const name = known.find((layout) => layout['layout-id'] === id)?.name ?? id
        return {
          key: direction,
          label: t(`layouts:directions.${direction}`),
          value:
            id === null && direction === 'movement' ? (
              t('carriers:genericLayout')
            ) : id === null ? (
              <Value>—</Value>
            ) : (
              <Anchor
                renderRoot={(props) => <Link to="/carriers/layouts/$layoutId" params={{ layoutId: id }} {...props} />}
              >
                <TextValue value={name} />
              </Anchor>
            ),
        }
      })}
    />
  )
}

/** What the codes of the carrier's refusals ask for. */
export function CodeMap({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation(['carriers', 'terms'])
  const meanings = contract['code-map']
  if (meanings.length === 0) return <Text size="sm">{t('carriers:noCodes')}</Text>
  return (
    <div className="plain-table" tabIndex={0} role="region" aria-label={t('carriers:codeMap')}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('carriers:form.code')}</Table.Th>
            <Table.Th scope="col">{t('carriers:form.codeStatus')}</Table.Th>
            <Table.Th scope="col">{t('carriers:asked')}</Table.Th>
            <Table.Th scope="col">{t('carriers:form.codeReason')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {meanings.map(({ code, status, reason, 'pending-items': items = [] }) => (
            <Table.Tr key={code}>
              <Table.Th scope="row" fw={400}>
                <Value>{code}</Value>
              </Table.Th>
              <Table.Td>{t(`terms:status.${status}`)}</Table.Td>
              <Table.Td>
                <TextValue value={items.map(({ message }) => message).join(', ')} />
              </Table.Td>
              <Table.Td>
                <TextValue value={reason} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** How shipments come to the carrier; without the secrets, which the service does not tell. */
export function ChannelSettings({ contractId }: { readonly contractId: string }) {
  const { t } = useTranslation('carriers')
  const settings = useOperation('readContractChannel', { path: [contractId] }).data?.result
  if (settings === undefined) return null
  const { deliver, email, sftp, connector } = settings
  const facts = [
    { key: 'deliver', label: t('deliver'), value: t(`deliveries.${deliver}`) },
    ...(email === null
      ? []
      : [
          { key: 'to', label: t('form.email'), value: <Value>{[...email.to, ...email.cc].join(', ')}</Value> },
          { key: 'subject', label: t('subject'), value: <Value>{email.subject}</Value> },
        ]),
    ...(sftp === null
      ? []
      : [
          { key: 'sftp', label: t('server'), value: <Value>{`${sftp.user}@${sftp.host}:${sftp.port}`}</Value> },
          { key: 'folder', label: t('folder'), value: <Value>{sftp['out-folder']}</Value> },
          { key: 'key', label: t('hostKey'), value: <Value>{sftp['host-key']}</Value> },
        ]),
    ...(connector === null ? [] : [{ key: 'url', label: t('connector'), value: <Value>{connector.url}</Value> }]),
  ]
  return <FactList facts={facts} />
}
