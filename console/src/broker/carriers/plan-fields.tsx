import { Checkbox, Fieldset, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import type { ContractFields } from './contract-fields.ts'
import { newPlan } from './contract-values.ts'

/** The products of the company with the carrier: which are in the contract, and what the carrier calls them. */
export function PlanFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  const { plans, 'company-tax-id': taxId, 'carrier-name': carrier } = form.values
  const company = useOperation('readAnyCompany', { path: [taxId ?? ''] }, { enabled: taxId !== null })
  const products = (company.data?.result.products ?? []).filter((one) => one['carrier-name'] === carrier)
  const listed = new Set(products.map((one) => one['product-id']))
  // Retired products stay until they are taken out.
  const retired = plans.filter((plan) => !listed.has(plan['product-id']))
  const rows = [
    ...products.map((one) => ({ id: one['product-id'], name: one['product-name'] })),
    ...retired.map((plan) => ({ id: plan['product-id'], name: t('unknownProduct') })),
  ]
  if (company.data === undefined || carrier === null) return null
  return (
    <Stack gap="xs">
      <Text size="sm">{rows.length === 0 ? t('form.noProducts') : t('form.plansDescription')}</Text>
      {rows.map(({ id, name }) => {
        const index = plans.findIndex((plan) => plan['product-id'] === id)
        const path = `plans.${index}` as const
        return (
          <Fieldset key={id} legend={<span translate="no">{name}</span>} p="sm">
            <Stack gap="xs">
              <Checkbox
                label={<span translate="no">{t('form.inContract', { name })}</span>}
                checked={index >= 0}
                error={index < 0 ? undefined : form.errors[`${path}.product-id`]}
                onChange={({ currentTarget: { checked } }) =>
                  checked ? form.insertListItem('plans', newPlan(id)) : form.removeListItem('plans', index)
                }
              />
              {index >= 0 && (
                <SimpleGrid cols={{ base: 1, sm: 3 }}>
                  <TextInput
                    label={t('planCode')}
                    autoComplete="off"
                    {...form.getInputProps(`${path}.carrier-plan-code`)}
                  />
                  <TextInput
                    label={t('ansPlanNumber')}
                    autoComplete="off"
                    {...form.getInputProps(`${path}.ans-plan-number`)}
                  />
                  <TextInput
                    label={t('planVersion')}
                    autoComplete="off"
                    {...form.getInputProps(`${path}.plan-version`)}
                  />
                </SimpleGrid>
              )}
            </Stack>
          </Fieldset>
        )
      })}
    </Stack>
  )
}
