import { Box, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { ContactList } from '../../entities/contacts/contact-list.tsx'

/** The contracts of a company with carriers, each with its next cut-off and whom to talk to. */
export function CompanyContracts({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['companies', 'terms'])
  const contracts = useOperation('listContracts', { query: { 'company-tax-id': taxId, 'items-per-page': 100 } })
  return (
    <>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t('companies:contracts')}
      </Title>
      <QueryView query={contracts}>
        {({ result }) =>
          result.length === 0 ? (
            <Text size="sm">{t('companies:noContracts')}</Text>
          ) : (
            <Box className="plain-table" tabIndex={0} role="region" aria-label={t('companies:contracts')}>
              <Table verticalSpacing={6} miw="44rem">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t('companies:contract')}</Table.Th>
                    <Table.Th scope="col">{t('companies:carrier')}</Table.Th>
                    <Table.Th scope="col">{t('companies:status')}</Table.Th>
                    <Table.Th scope="col">{t('companies:nextCutOff')}</Table.Th>
                    <Table.Th scope="col">{t('companies:contractContacts')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {result.map((contract) => (
                    <Table.Tr key={contract['contract-id']} style={{ verticalAlign: 'top' }}>
                      <Table.Th scope="row" fw={400}>
                        <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
                          <Value>
                            {[contract['contract-number'], contract['sub-contract']].filter(Boolean).join(' / ')}
                          </Value>
                        </TextLink>
                      </Table.Th>
                      <Table.Td>
                        <Value>{contract['carrier-name']}</Value>
                      </Table.Td>
                      <Table.Td>
                        <Badge color={contract.status === 'active' ? 'green' : 'gray'}>
                          {t(`terms:contractStatus.${contract.status}`)}
                        </Badge>
                      </Table.Td>
                      <Table.Td>
                        <DateValue value={contract['next-cut-off']?.['cut-off-date']} />
                      </Table.Td>
                      <Table.Td>
                        {contract.contacts.length === 0 ? (
                          <Value>—</Value>
                        ) : (
                          <ContactList contacts={contract.contacts} />
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Box>
          )
        }
      </QueryView>
    </>
  )
}
