import { Box, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawView } from '../../components/raw-view.tsx'
import { Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ShipmentTable } from '../../entities/shipments/shipment-table.tsx'
import { ContactList } from '../../entities/contacts/contact-list.tsx'
import { ChannelFacts } from './channel-facts.tsx'
import { CodeMap, ContractLayouts } from './contract-files.tsx'
import { ContractHead } from './contract-head.tsx'
import type { Contract } from './contract-values.ts'
import { CutOffTable } from './cut-off-table.tsx'
import { MoneyFacts } from './money-facts.tsx'
import { PlanTable } from './plan-table.tsx'
import { ContributionRules } from '../prices/contribution-rules.tsx'
import { PriceTables } from '../prices/price-tables.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

const route = getRouteApi('/shell/carriers/contracts/$contractId')

export function ContractPage() {
  const { t } = useTranslation('carriers')
  const { contractId } = route.useParams()
  const contract = useOperation('readContract', { path: [contractId] })
  return (
    <ObjectPage query={contract} title={t('contract')}>
      {({ result }) => <ContractView contract={result} />}
    </ObjectPage>
  )
}

function ContractView({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('carriers')
  const mayWrite = usePermission('putContract')
  const mayReadChannel = usePermission('readContractChannel')
  return (
    <>
      <PageHeader
        title={
          <Value>
            {t('contractTitle', { carrier: contract['carrier-name'], number: contract['contract-number'] })}
          </Value>
        }
      >
        <ButtonLink to="/forecasts/$contractId" params={{ contractId: contract['contract-id'] }} variant="default">
          {t('forecast')}
        </ButtonLink>
        {mayWrite && (
          <ButtonLink
            to="/carriers/contracts/$contractId/edit"
            params={{ contractId: contract['contract-id'] }}
            variant="default"
          >
            {t('edit')}
          </ButtonLink>
        )}
      </PageHeader>
      <ContractHead contract={contract} />
      <SectionTitle mt="lg">{t('shipments')}</SectionTitle>
      <ShipmentTable contractId={contract['contract-id']} />
      <SectionTitle mt="lg">{t('plans')}</SectionTitle>
      <PlanTable contract={contract} />
      <SectionTitle mt="lg">{t('money.title')}</SectionTitle>
      <MoneyFacts contract={contract} />
      <SectionTitle mt="lg" id="prices">
        {t('priceTables')}
      </SectionTitle>
      <PriceTables contractId={contract['contract-id']} />
      <SectionTitle mt="lg" id="contributions">
        {t('contributions')}
      </SectionTitle>
      <ContributionRules contract={contract} />
      <SectionTitle mt="lg">{t('cutOffs')}</SectionTitle>
      {contract.calendar === null ? (
        <Text size="sm">{t('noCalendar')}</Text>
      ) : (
        <CutOffTable contractId={contract['contract-id']} calendar={contract.calendar} />
      )}
      <SectionTitle mt="lg">{t('layouts')}</SectionTitle>
      <ContractLayouts layouts={contract.layouts} />
      <SectionTitle mt="lg">{t('codeMap')}</SectionTitle>
      <CodeMap contract={contract} />
      {mayReadChannel && (
        <>
          <SectionTitle mt="lg">{t('channelSettings')}</SectionTitle>
          <ChannelFacts contractId={contract['contract-id']} />
        </>
      )}
      <SectionTitle mt="lg">{t('contacts')}</SectionTitle>
      <ContactList contacts={contract.contacts} />
      <Box mt="lg">
        <RawView value={contract} />
      </Box>
    </>
  )
}
