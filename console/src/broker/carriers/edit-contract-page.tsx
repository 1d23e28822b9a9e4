import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContractForm } from './contract-form.tsx'
import { bodyOf, type Contract, type ContractValues, valuesOf } from './contract-values.ts'
import { useReplacing } from '../../forms/page-form.tsx'

const route = getRouteApi('/shell/carriers/contracts/$contractId/edit')

export function EditContractPage() {
  const { t } = useTranslation('carriers')
  const { contractId } = route.useParams()
  const mayWrite = usePermission('putContract')
  const contract = useOperation('readContract', { path: [contractId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={contract} title={t('contract')} mayRead={mayWrite}>
      {({ result }) => <EditContract contract={result} />}
    </ObjectPage>
  )
}

/** What an operator may have changed: the next cut-off follows from the day. */
const stateOf = ({ 'next-cut-off': _cutOff, ...contract }: Contract) => contract

function EditContract({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('carriers')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { 'contract-id': contractId } = contract
  const { base, initialValues, saving } = useReplacing(contract, {
    valuesOf,
    read: () => api.contracts.get(contractId),
    stateOf,
    put: (values: ContractValues, before) => api.contracts.put(contractId, bodyOf(values, before)),
    onSaved: async ({ 'contract-number': number }) => {
      notifyDone(t('form.saved', { number }))
      for (const id of ['readContract', 'listContracts', 'readContractCalendar', 'listCutOffs']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      await navigate({ to: '/carriers/contracts/$contractId', params: { contractId }, ignoreBlocker: true })
    },
    changed: t('form.changedMeanwhile'),
    load: t('form.loadCurrent'),
    overwrite: t('form.overwrite'),
  })
  return (
    <>
      <PageHeader title={t('form.editTitle', { number: base['contract-number'] })} />
      <ContractForm key={JSON.stringify(base)} initialValues={initialValues} isNew={false} saving={saving} />
    </>
  )
}
