import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { TextLink } from '../../components/link.tsx'
import { NumberValue, TextValue } from '../../components/value.tsx'
import { column, number, timestamp, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CreateClientDialog } from './create-client-dialog.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { DialogButton } from '../../components/dialog.tsx'

const List = listPage('listClients')

export function ClientsPage() {
  const { t } = useTranslation(['clients', 'accounts'])
  const mayWrite = usePermission('createClient')
  return (
    <List
      title={t('clients:title')}
      actions={
        mayWrite && (
          <DialogButton dialog={(close) => <CreateClientDialog onClose={close} />}>{t('clients:create')}</DialogButton>
        )
      }
      filters={
        <Text size="sm" mb="md" maw="48rem">
          {t('clients:explanation')}
        </Text>
      }
      columns={[
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
      ]}
      idOf={(client) => client['client-id']}
      empty={t('clients:empty')}
    />
  )
}
