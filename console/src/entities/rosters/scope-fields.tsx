import { MultiSelect, Stack, TagsInput, Text } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { dataPill } from '../../components/data-pill.tsx'
import { PRODUCT_TYPES } from '../../../../src/kernel/enums.ts'
import { parseCnpj } from '../../../../src/kernel/tax-id.ts'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { plainTaxId } from '../../format/tax-id.ts'
import type { RosterSyncBody } from './client.ts'

export type Scope = NonNullable<RosterSyncBody['within']>
type Key = keyof Scope

/** The part of the company that a list is about; empty: all of it. */
export function ScopeFields(props: {
  readonly company: Company
  readonly scope: Scope
  readonly onChange: (scope: Scope) => void
}) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { company, scope, onChange } = props
  const change = (key: Key, values: readonly string[]) => {
    const { [key]: _, ...others } = scope
    onChange(values.length === 0 ? others : { ...others, [key]: values })
  }
  const types = PRODUCT_TYPES.filter((type) => company.products.some((one) => one['product-type'] === type))
  const clear = (label: string) => ({
    clearable: true,
    clearButtonProps: { 'aria-label': t('rosters:clearField', { label }) },
  })
  return (
    <details className="roster-more">
      <summary>{t('rosters:part')}</summary>
      <Stack gap="sm" mt="xs">
        <Text size="sm" c="dimmed">
          {t('rosters:partHelp')}
        </Text>
        <TagsInput
          label={t('rosters:costCenters')}
          description={t('rosters:tagsHelp')}
          {...clear(t('rosters:costCenters'))}
          renderPill={dataPill}
          value={scope['cost-centers'] ?? []}
          onChange={(values) => change('cost-centers', values)}
        />
        <TagsInput
          label={t('rosters:employers')}
          description={t('rosters:tagsHelp')}
          {...clear(t('rosters:employers'))}
          renderPill={dataPill}
          value={(scope['employee-company-tax-ids'] ?? []).map(formatCnpj)}
          onChange={(values) =>
            change(
              'employee-company-tax-ids',
              values.flatMap((value) => parseCnpj(plainTaxId(value)) ?? []),
            )
          }
        />
        <MultiSelect
          label={t('rosters:productTypes')}
          {...clear(t('rosters:productTypes'))}
          data={types.map((value) => ({ value, label: t(`terms:productType.${value}`) }))}
          value={scope['product-types'] ?? []}
          onChange={(values) => change('product-types', values)}
        />
        <MultiSelect
          label={t('rosters:products')}
          {...clear(t('rosters:products'))}
          attributes={{ pill: { translate: 'no' }, option: { translate: 'no' } }}
          data={company.products.map((one) => ({ value: one['product-id'], label: one['product-name'] }))}
          value={scope['product-ids'] ?? []}
          onChange={(values) => change('product-ids', values)}
        />
      </Stack>
    </details>
  )
}
