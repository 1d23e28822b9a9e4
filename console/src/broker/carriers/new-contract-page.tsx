import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { notifyDone } from '../../components/notify.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContractForm } from './contract-form.tsx'
import { bodyOf, type ContractValues, newContract } from './contract-values.ts'
import { useSaving } from '../../forms/page-form.tsx'

export function NewContractPage() {
  const { t } = useTranslation('carriers')
  const mayWrite = usePermission('createContract')
  return (
    <>
      <PageHeader title={t('form.newTitle')} />
      {mayWrite ? <NewContract /> : <Forbidden />}
    </>
  )
}

function NewContract() {
  const { t } = useTranslation('carriers')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [initialValues] = useState(newContract)
  const saving = useSaving(
    (values: ContractValues) => api.contracts.create(bodyOf(values, null)),
    async (contract) => {
      notifyDone(t('form.saved', { number: contract['contract-number'] }))
      void queryClient.invalidateQueries({ queryKey: ['listContracts'] })
      await navigate({
        to: '/carriers/contracts/$contractId',
        params: { contractId: contract['contract-id'] },
        ignoreBlocker: true,
      })
    },
  )
  return <ContractForm initialValues={initialValues} isNew saving={saving} />
}
