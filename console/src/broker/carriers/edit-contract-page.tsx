import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { notifyDone } from '../../components/notify.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContractForm } from './contract-form.tsx'
import { bodyOf, type Contract, type ContractValues, valuesOf } from './contract-values.ts'
import { ChangedContractError, replaceUnchanged } from './replace-contract.ts'

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

function EditContract({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation(['carriers', 'states'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // What the form began with: the query is read again while a person writes.
  const [base, setBase] = useState(contract)
  const [initialValues, setInitialValues] = useState(() => valuesOf(contract))
  const save = useMutation({
    mutationFn: ({ values, isForced }: { values: ContractValues; isForced: boolean }) =>
      isForced ? api.contracts.put(base['contract-id'], bodyOf(values, base)) : replaceUnchanged(base, values),
    onSuccess: async ({ 'contract-number': number, 'contract-id': contractId }) => {
      notifyDone(t('carriers:form.saved', { number }))
      for (const id of ['readContract', 'listContracts', 'readContractCalendar', 'listCutOffs']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      await navigate({ to: '/carriers/contracts/$contractId', params: { contractId }, ignoreBlocker: true })
    },
  })
  const { error, variables } = save
  const load = (current: Contract) => {
    setBase(current)
    setInitialValues(valuesOf(current))
    save.reset()
  }
  return (
    <>
      <PageHeader title={t('carriers:form.editTitle', { number: base['contract-number'] })} />
      <ContractForm
        key={JSON.stringify(base)}
        initialValues={initialValues}
        isNew={false}
        save={(values) => save.mutateAsync({ values, isForced: false })}
        isSaving={save.isPending}
        error={error}
        {...(error instanceof ChangedContractError && variables !== undefined
          ? {
              notice: (
                <Alert color="orange" role="alert" title={t('states:conflictTitle')}>
                  <Stack gap="xs" align="flex-start">
                    <Text size="sm">{t('carriers:form.changedMeanwhile')}</Text>
                    <Button size="xs" variant="default" onClick={() => load(error.current)}>
                      {t('carriers:form.loadCurrent')}
                    </Button>
                    <Button size="xs" variant="default" onClick={() => save.mutate({ ...variables, isForced: true })}>
                      {t('carriers:form.overwrite')}
                    </Button>
                  </Stack>
                </Alert>
              ),
            }
          : {})}
      />
    </>
  )
}
