import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAccounts } from '../../entities/accounts/accounts.ts'
import { EndFormerDialog, RotateDialog } from '../../entities/accounts/secret-actions.tsx'
import { SecretList } from '../../entities/accounts/secret-list.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { NotFound, QueryView } from '../../components/state-view.tsx'
import { NumberValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { allClientsQuery, type Client } from '../../entities/clients/all-clients.ts'
import { Entitlements } from './entitlements.tsx'
import { RevokeClientDialog } from './revoke-client-dialog.tsx'

const route = getRouteApi('/shell/clients/$clientId')

export function ClientPage() {
  const { t } = useTranslation('clients')
  const { clientId } = route.useParams()
  const clients = useQuery(allClientsQuery)
  const client = clients.data?.find((one) => one['client-id'] === clientId)
  if (client !== undefined) return <ClientView client={client} />
  return (
    <>
      <PageHeader title={t('titleOfOne')} />
      <QueryView query={clients}>{() => <NotFound />}</QueryView>
    </>
  )
}

function ClientView({ client }: { readonly client: Client }) {
  const { t } = useTranslation(['clients', 'accounts'])
  const mayWrite = usePermission('createClient')
  const [dialog, setDialog] = useState<'rotate' | 'endFormer' | 'revoke' | null>(null)
  const close = () => setDialog(null)
  const secretDialog = { account: client, operations: clientAccounts, onClose: close }
  return (
    <>
      <PageHeader title={<Value>{client.name}</Value>}>
        {mayWrite && (
          <>
            <Button variant="default" onClick={() => setDialog('rotate')}>
              {t('accounts:rotate')}
            </Button>
            <Button color="red" variant="outline" onClick={() => setDialog('revoke')}>
              {t('clients:revoke')}
            </Button>
          </>
        )}
      </PageHeader>
      <FactList
        facts={[
          fact(t('accounts:clientId'), <Value>{client['client-id']}</Value>),
          fact(t('accounts:createdAt'), <TimestampValue value={client['created-at']} />),
          fact(t('clients:companies'), <NumberValue value={client['company-tax-ids'].length} />),
        ]}
      />
      <SecretList secrets={client.secrets} {...(mayWrite ? { onEndFormer: () => setDialog('endFormer') } : {})} />
      <Entitlements client={client} />
      <Box mt="lg">
        <RawView value={client} />
      </Box>
      <RotateDialog opened={dialog === 'rotate'} {...secretDialog} />
      {dialog === 'endFormer' && <EndFormerDialog {...secretDialog} />}
      {dialog === 'revoke' && <RevokeClientDialog client={client} onClose={close} />}
    </>
  )
}
