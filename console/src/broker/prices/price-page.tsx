import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { useReplacing } from '../../forms/page-form.tsx'
import { formatDate } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { PriceForm } from './price-form.tsx'
import { bodyOf, type PriceTable, type PriceValues, valuesOf } from './price-values.ts'
import { useBackToContract } from './to-contract.ts'

const route = getRouteApi('/shell/carriers/contracts/$contractId/prices/$priceTableId')

export function PricePage() {
  const { t } = useTranslation('prices')
  const { priceTableId } = route.useParams()
  const mayWrite = usePermission('putPriceTable')
  const table = useOperation('readPriceTable', { path: [priceTableId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={table} title={t('table')} mayRead={mayWrite}>
      {({ result }) => <EditPrices key={priceTableId} table={result} />}
    </ObjectPage>
  )
}

function EditPrices({ table }: { readonly table: PriceTable }) {
  const { t } = useTranslation('prices')
  const { 'price-table-id': id, 'contract-id': contractId } = table
  const contract = useOperation('readContract', { path: [contractId] })
  const back = useBackToContract(contractId, 'prices')
  const { base, initialValues, saving } = useReplacing(table, {
    valuesOf,
    read: () => api.priceTables.get(id),
    stateOf: (one) => one['updated-at'],
    put: (values: PriceValues) => api.priceTables.put(id, bodyOf(contractId, values)),
    onSaved: () => back(t('saved')),
    changed: t('changedMeanwhile'),
    load: t('loadCurrent'),
  })
  const plan = base['carrier-plan-code'] ?? t('otherPlans')
  return (
    <>
      <PageHeader title={<Value>{t('titleOf', { plan, date: formatDate(base['valid-from']) })}</Value>} />
      <QueryView query={contract}>
        {({ result }) => (
          <PriceForm key={base['updated-at']} contract={result} initialValues={initialValues} saving={saving}>
            <DialogButton
              variant="default"
              dialog={(close) => (
                <ActDialog
                  title={t('deleteTitle')}
                  action={t('delete')}
                  isDestructive
                  act={() => api.priceTables.delete(id)}
                  done={t('deleted')}
                  onDone={() => back(t('deleted'))}
                  onClose={close}
                >
                  <Text size="sm">{t('deleteText')}</Text>
                </ActDialog>
              )}
            >
              {t('delete')}
            </DialogButton>
          </PriceForm>
        )}
      </QueryView>
    </>
  )
}
