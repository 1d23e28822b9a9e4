import { Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { type CostsSearch, RANGES } from './search.ts'

const route = getRouteApi('/shell/costs')

/** Whose months are shown, and how many. */
export function CostsFilter({ search }: { readonly search: CostsSearch }) {
  const { t } = useTranslation('costs')
  const navigate = route.useNavigate()
  const { 'company-tax-id': taxId = null, 'contract-id': contractId, months = RANGES[0] } = search
  const query = { 'company-tax-id': taxId ?? '', 'items-per-page': 100 }
  const contracts = useOperation('listContracts', { query }, { enabled: taxId !== null }).data?.result ?? []
  const show = (next: CostsSearch) => void navigate({ search: next, replace: true })
  const range = months === RANGES[0] ? {} : { months }
  return (
    <Group gap="sm" align="flex-end">
      <CompanySelect
        label={t('company')}
        value={taxId}
        onChange={(value) => show({ ...range, ...(value === null ? {} : { 'company-tax-id': value }) })}
      />
      {taxId !== null && (
        <Choice
          label={t('contract')}
          any={t('anyContract')}
          isData
          value={contractId}
          onChange={(value) =>
            show({ ...range, 'company-tax-id': taxId, ...(value === undefined ? {} : { 'contract-id': value }) })
          }
          data={contracts.map((one) => ({
            value: one['contract-id'],
            label: [one['carrier-name'], one['contract-number'], one['sub-contract']].filter(Boolean).join(' · '),
          }))}
        />
      )}
      <Choice
        label={t('range')}
        value={String(months)}
        onChange={(value) => show({ ...search, months: Number(value) })}
        data={RANGES.map((count) => ({ value: String(count), label: t('months', { count }) }))}
      />
    </Group>
  )
}
