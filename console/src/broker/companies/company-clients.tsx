import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { TextValue } from '../../components/value.tsx'
import { allClientsQuery } from '../../entities/clients/all-clients.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The clients of partners that are entitled to the company. */
export function CompanyClients({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('companies')
  const clients = useQuery(allClientsQuery)
  return (
    <>
      <SectionTitle mt="lg">{t('clients')}</SectionTitle>
      <QueryView query={clients}>
        {(all) => {
          const entitled = all.filter((client) => client['company-tax-ids'].includes(taxId))
          if (entitled.length === 0) return <Text size="sm">{t('noClient')}</Text>
          return (
            <List size="sm">
              {entitled.map((client) => (
                <List.Item key={client['client-id']}>
                  <TextLink to="/clients/$clientId" params={{ clientId: client['client-id'] }}>
                    <TextValue value={client.name} />
                  </TextLink>
                </List.Item>
              ))}
            </List>
          )
        }}
      </QueryView>
    </>
  )
}
