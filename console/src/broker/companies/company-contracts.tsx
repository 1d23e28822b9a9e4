import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { TextLink } from '../../components/link.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Absent, Value } from '../../components/value.tsx'
import { ContactList } from '../../entities/contacts/contact-list.tsx'
import { PlainTable, plain, rowHeader, topAligned } from '../../components/plain-table.tsx'
import { text, date } from '../../lists/columns.tsx'
import { contractNumber } from '../../format/contract-number.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The contracts of a company with carriers, each with its next cut-off and whom to talk to. */
export function CompanyContracts({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['companies', 'terms'])
  const contracts = useOperation('listContracts', { query: { 'company-tax-id': taxId, 'items-per-page': 100 } })
  return (
    <>
      <SectionTitle mt="lg">{t('companies:contracts')}</SectionTitle>
      <QueryView query={contracts}>
        {({ result }) =>
          result.length === 0 ? (
            <Text size="sm">{t('companies:noContracts')}</Text>
          ) : (
            <PlainTable<(typeof result)[number]>
              label={t('companies:contracts')}
              miw="44rem"
              items={result}
              idOf={(contract) => contract['contract-id']}
              rowOf={topAligned}
              columns={[
                rowHeader(t('companies:contract'), (contract) => (
                  <TextLink to="/carriers/contracts/$contractId" params={{ contractId: contract['contract-id'] }}>
                    <Value>{contractNumber(contract)}</Value>
                  </TextLink>
                )),
                text(t('companies:carrier'), 'carrier-name'),
                plain(t('companies:status'), ({ status }) => (
                  <Badge color={status === 'active' ? 'green' : 'gray'}>{t(`terms:contractStatus.${status}`)}</Badge>
                )),
                date(t('companies:nextCutOff'), (contract) => contract['next-cut-off']?.['cut-off-date']),
                plain(t('companies:contractContacts'), ({ contacts }) =>
                  contacts.length === 0 ? <Absent /> : <ContactList contacts={contacts} />,
                ),
              ]}
            />
          )
        }
      </QueryView>
    </>
  )
}
