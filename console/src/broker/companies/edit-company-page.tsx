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
import { CnpjValue } from '../../components/value.tsx'
import { formatTimestamp } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { CompanyForm } from './company-form.tsx'
import { ChangedMeanwhileError, replaceUnchanged } from './replace-company.ts'
import { bodyOf, type Company, type CompanyValues, valuesOf } from './product-values.ts'

const route = getRouteApi('/shell/companies/$taxId/edit')

export function EditCompanyPage() {
  const { taxId } = route.useParams()
  const mayWrite = usePermission('putCompany')
  const company = useOperation('readAnyCompany', { path: [taxId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={company} title={<CnpjValue value={taxId} />} mayRead={mayWrite}>
      {({ result }) => <EditCompany company={result} />}
    </ObjectPage>
  )
}

function EditCompany({ company }: { readonly company: Company }) {
  const { t } = useTranslation('companies')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // What the form began with: the query is read again while a person writes.
  const [base, setBase] = useState(company)
  const save = useMutation({
    mutationFn: ({ values, isForced }: { values: CompanyValues; isForced: boolean }) =>
      isForced ? api.companies.put(base['tax-id'], bodyOf(values)) : replaceUnchanged(base, bodyOf(values)),
    onSuccess: async ({ name, 'tax-id': taxId }) => {
      notifyDone(t('saved', { name }))
      for (const id of ['readAnyCompany', 'searchCompanies', 'listCarriers']) {
        void queryClient.invalidateQueries({ queryKey: [id] })
      }
      await navigate({ to: '/companies/$taxId', params: { taxId }, ignoreBlocker: true })
    },
  })
  const { error, variables } = save
  return (
    <>
      <PageHeader title={t('editTitle', { name: base.name })} />
      <Text size="sm" c="dimmed" mb="md">
        {t('taxId')} <CnpjValue value={base['tax-id']} />
      </Text>
      <CompanyForm
        key={JSON.stringify(base)}
        taxId={base['tax-id']}
        initialValues={valuesOf(base)}
        save={(values) => save.mutateAsync({ values, isForced: false })}
        isSaving={save.isPending}
        error={error}
        {...(error instanceof ChangedMeanwhileError && variables !== undefined
          ? {
              notice: (
                <Conflict
                  error={error}
                  onLoad={() => {
                    setBase(error.current)
                    save.reset()
                  }}
                  onOverwrite={() => save.mutate({ ...variables, isForced: true })}
                />
              ),
            }
          : {})}
      />
    </>
  )
}

function Conflict(props: {
  readonly error: ChangedMeanwhileError
  readonly onLoad: () => void
  readonly onOverwrite: () => void
}) {
  const { t } = useTranslation(['companies', 'states'])
  const { change } = props.error
  return (
    <Alert color="orange" role="alert" title={t('states:conflictTitle')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {change === null
            ? t('companies:changedMeanwhileUnknown')
            : t('companies:changedMeanwhile', { name: change.name, date: formatTimestamp(change.at) })}
        </Text>
        <Button size="xs" variant="default" onClick={props.onLoad}>
          {t('companies:loadCurrent')}
        </Button>
        <Button size="xs" variant="default" onClick={props.onOverwrite}>
          {t('companies:overwrite')}
        </Button>
      </Stack>
    </Alert>
  )
}
