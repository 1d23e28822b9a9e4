import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Value } from '../../components/value.tsx'
import { useSaving } from '../../forms/page-form.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { PriceForm } from './price-form.tsx'
import { bodyOf, type Contract, newPrices, type PriceValues } from './price-values.ts'
import { useBackToContract } from './to-contract.ts'

const route = getRouteApi('/shell/carriers/contracts/$contractId/prices/new')

export function NewPricePage() {
  const { t } = useTranslation('prices')
  const { contractId } = route.useParams()
  const mayWrite = usePermission('putPriceTable')
  const contract = useOperation('readContract', { path: [contractId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={contract} title={t('newTitle')} mayRead={mayWrite}>
      {({ result }) => <NewPrices contract={result} />}
    </ObjectPage>
  )
}

function NewPrices({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('prices')
  const { 'contract-id': contractId, 'carrier-name': carrier, 'contract-number': number } = contract
  const [initialValues] = useState(newPrices)
  const back = useBackToContract(contractId, 'prices')
  const saving = useSaving(
    (values: PriceValues) => api.priceTables.put(crypto.randomUUID(), bodyOf(contractId, values)),
    () => back(t('saved')),
  )
  return (
    <>
      <PageHeader title={<Value>{t('newTitleOf', { carrier, number })}</Value>} />
      <PriceForm contract={contract} initialValues={initialValues} saving={saving} />
    </>
  )
}
