import type { TFunction } from 'i18next'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NumberValue, TextValue } from '../../components/value.tsx'
import { column, number, timestamp, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Client } from './all-clients.ts'
import { CreateClientDialog } from './create-client-dialog.tsx'

const columnsOf = (t: TFunction<['clients', 'accounts']>): readonly Column<Client>[] => [
  column(t('accounts:name'), 'minmax(12rem, 2fr)', (client) => (
    <TextLink to="/clients/$clientId" params={{ clientId: client['client-id'] }}>
      <TextValue value={client.name} />
    </TextLink>
  )),
  number(t('clients:companies'), (client) => client['company-tax-ids'].length, '7rem'),
  column(t('accounts:secrets'), 'minmax(9rem, 1fr)', ({ secrets }) =>
    secrets.length > 1 ? (
      <Badge color="orange">{t('clients:twoSecrets')}</Badge>
    ) : (
      <NumberValue value={secrets.length} />
    ),
  ),
  timestamp(t('accounts:createdAt'), 'created-at', '10rem'),
  text(t('accounts:clientId'), 'client-id', '21rem'),
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
