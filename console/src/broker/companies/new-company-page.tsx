import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { TextLink } from '../../components/link.tsx'
import { pastedCnpj } from '../../entities/companies/company-search-text.ts'
import { notifyDone } from '../../components/notify.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { CompanyForm } from './company-form.tsx'
import { bodyOf, type Company, type CompanyValues, newProduct } from './product-values.ts'
import { useRefreshCompanies } from './use-refresh-companies.ts'

/** The CNPJ is no CNPJ, or has a company already. */
class TaxIdError extends Error {
  readonly existing: Company | null

  constructor(existing: Company | null) {
    super('the CNPJ cannot be taken')
    this.existing = existing
  }
}

async function createCompany(text: string, values: CompanyValues): Promise<Company> {
  const taxId = pastedCnpj(text)
  if (taxId === null) throw new TaxIdError(null)
  const existing = await api.companies.get(taxId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  })
  // The operation would replace it.
  if (existing !== null) throw new TaxIdError(existing)
  return api.companies.put(taxId, bodyOf(values))
}

export function NewCompanyPage() {
  const { t } = useTranslation('companies')
  const mayWrite = usePermission('putCompany')
  return (
    <>
      <PageHeader title={t('newTitle')} />
      {mayWrite ? <NewCompany /> : <Forbidden />}
    </>
  )
}

function NewCompany() {
  const { t } = useTranslation('companies')
  const refresh = useRefreshCompanies()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [taxId, setTaxId] = useState('')
  const [initialValues] = useState(() => ({ name: '', products: [newProduct()], contacts: [] }))
  const save = useMutation({
    mutationFn: (values: CompanyValues) => createCompany(taxId, values),
    onError: (error) => {
      if (error instanceof TaxIdError) input.current?.focus()
    },
    onSuccess: async (company) => {
      notifyDone(t('created', { name: company.name }))
      refresh()
      await navigate({ to: '/companies/$taxId', params: { taxId: company['tax-id'] }, ignoreBlocker: true })
    },
  })
  const taxIdError = save.error instanceof TaxIdError ? save.error : null
  return (
    <CompanyForm
      initialValues={initialValues}
      saving={{
        save: save.mutateAsync,
        isSaving: save.isPending,
        error: taxIdError === null ? save.error : null,
      }}
    >
      <TextInput
        ref={input}
        label={t('taxId')}
        description={t('taxIdDescription')}
        required
        autoComplete="off"
        maw="24rem"
        value={taxId}
        onChange={({ currentTarget: { value } }) => {
          setTaxId(value)
          if (taxIdError !== null) save.reset()
        }}
        error={
          taxIdError === null ? undefined : taxIdError.existing === null ? (
            t('invalidTaxId')
          ) : (
            <>
              {t('existsAlready', { name: taxIdError.existing.name })}{' '}
              <TextLink to="/companies/$taxId" params={{ taxId: taxIdError.existing?.['tax-id'] ?? '' }} size="xs">
                {t('openExisting')}
              </TextLink>
            </>
          )
        }
      />
    </CompanyForm>
  )
}
