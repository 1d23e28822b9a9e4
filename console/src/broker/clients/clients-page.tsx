import type { TFunction } from 'i18next'
import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NumberValue, TextValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Client } from './all-clients.ts'
import { CreateClientDialog } from './create-client-dialog.tsx'

const columnsOf = (t: TFunction<['clients', 'accounts']>): readonly Column<Client>[] => [
  {
    id: 'name',
    header: t('accounts:name'),
    width: 'minmax(12rem, 2fr)',
    cell: (client) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/clients/$clientId" params={{ clientId: client['client-id'] }} {...props} />}
      >
        <TextValue value={client.name} />
      </Anchor>
    ),
  },
  {
    id: 'companies',
    header: t('clients:companies'),
    width: '7rem',
    isNumeric: true,
    cell: (client) => <NumberValue value={client['company-tax-ids'].length} />,
  },
  {
    id: 'secrets',
    header: t('accounts:secrets'),
    width: 'minmax(9rem, 1fr)',
    cell: ({ secrets }) =>
      secrets.length > 1 ? (
        <Badge color="orange">{t('clients:twoSecrets')}</Badge>
      ) : (
        <NumberValue value={secrets.length} />
      ),
  },
  {
    id: 'createdAt',
    header: t('accounts:createdAt'),
    width: '10rem',
    cell: (client) => <TimestampValue value={client['created-at']} />,
  },
  {
    id: 'clientId',
    header: t('accounts:clientId'),
    width: '21rem',
    cell: (client) => <Value>{client['client-id']}</Value>,
  },
]

export function ClientsPage() {
  const { t } = useTranslation(['clients', 'accounts'])
  const mayWrite = usePermission('createClient')
  const [isCreating, setIsCreating] = useState(false)
  const list = usePagedList('listClients')
  const columns = columnsOf(t)
  return (
    <>
      <PageHeader title={t('clients:title')}>
        {mayWrite && <Button onClick={() => setIsCreating(true)}>{t('clients:create')}</Button>}
      </PageHeader>
      <Text size="sm" mb="md" maw="48rem">
        {t('clients:explanation')}
      </Text>
      <DataTable
        label={t('clients:title')}
        columns={columns}
        list={list}
        idOf={(client) => client['client-id']}
        empty={t('clients:empty')}
      />
      {mayWrite && <CreateClientDialog opened={isCreating} onClose={() => setIsCreating(false)} />}
    </>
  )
}
