import { Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
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
import { useRefreshCompanies } from './use-refresh-companies.ts'
import { bodyOf, type Company, type CompanyValues, valuesOf } from './product-values.ts'
import { useReplacing } from '../../forms/page-form.tsx'

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
  const navigate = useNavigate()
  const refresh = useRefreshCompanies()
  const { 'tax-id': taxId } = company
  const { base, initialValues, saving } = useReplacing(company, {
    valuesOf,
    read: () => api.companies.get(taxId),
    put: (values: CompanyValues) => api.companies.put(taxId, bodyOf(values)),
    onSaved: async ({ name }) => {
      notifyDone(t('saved', { name }))
      refresh()
      await navigate({ to: '/companies/$taxId', params: { taxId }, ignoreBlocker: true })
    },
    changed: async () => {
      const change = await lastChange(taxId)
      return change === null
        ? t('changedMeanwhileUnknown')
        : t('changedMeanwhile', { name: change.name, date: formatTimestamp(change.at) })
    },
    load: t('loadCurrent'),
    overwrite: t('overwrite'),
  })
  return (
    <>
      <PageHeader title={t('editTitle', { name: base.name })} />
      <Text size="sm" c="dimmed" mb="md">
        {t('taxId')} <CnpjValue value={taxId} />
      </Text>
      <CompanyForm key={JSON.stringify(base)} taxId={taxId} initialValues={initialValues} saving={saving} />
    </>
  )
}

/** Who changed the company last, and when; null when it is not known. */
async function lastChange(taxId: string): Promise<{ readonly name: string; readonly at: string } | null> {
  const query = { 'company-tax-id': taxId, action: 'company.replaced', 'items-per-page': 1 }
  const {
    result: [change],
  } = await api.audit.list(query)
  if (change === undefined) return null
  for await (const operator of api.operators.list()) {
    if (operator['client-id'] === change.actor) return { name: operator.name, at: change.at }
  }
  return { name: change.actor, at: change.at }
}
