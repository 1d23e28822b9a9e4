import {
  Autocomplete,
  Button,
  Checkbox,
  Fieldset,
  Group,
  type InputWrapperProps,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { isProductType } from '../../components/product-type.tsx'
import { type CompanyValues, dependentTypes, productTypes, startOptions } from './product-values.ts'

export type ProductForm = UseFormReturnType<CompanyValues>

/** Focuses a field that has just appeared. */
const focus = (input: HTMLInputElement | null) => input?.focus()

/** A product of the form and its place in the list. @param props.isNew whether it was added just now: it gets the focus. */
export function ProductFields(props: { readonly form: ProductForm; readonly index: number; readonly isNew: boolean }) {
  const { form, index, isNew } = props
  const { t } = useTranslation(['companies', 'terms'])
  const product = form.values.products[index]
  const carriers = useOperation('listCarriers')
  if (product === undefined) return null
  const path = `products.${index}` as const
  const number = String(index + 1)
  const name = product['product-name'].trim() || number
  const type = product['product-type']
  const types = type === null || isProductType(type) ? productTypes : [...productTypes, type]
  const days = { allowDecimal: false, allowNegative: false, clampBehavior: 'none', hideControls: true } as const
  const inputWrapperOrder: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error']
  return (
    <Fieldset legend={t('companies:productNumber', { number })}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t('companies:name')}
            description={t('companies:productNameDescription')}
            inputWrapperOrder={inputWrapperOrder}
            required
            ref={isNew ? focus : null}
            {...form.getInputProps(`${path}.product-name`)}
          />
          <Autocomplete
            label={t('companies:carrier')}
            required
            data={[...new Set((carriers.data?.result ?? []).map((carrier) => carrier.name))]}
            attributes={{ option: { translate: 'no' } }}
            {...form.getInputProps(`${path}.carrier-name`)}
          />
          <Select
            label={t('companies:type')}
            placeholder={t('companies:typePlaceholder')}
            required
            allowDeselect={false}
            data={types.map((value) => ({
              value,
              label: isProductType(value) ? t(`terms:productType.${value}`) : value,
            }))}
            {...form.getInputProps(`${path}.product-type`)}
          />
        </SimpleGrid>
        <Checkbox.Group
          label={t('companies:startOptions')}
          description={t('companies:startOptionsDescription')}
          {...form.getInputProps(`${path}.allowed-start-options`)}
          {...(product['allowed-start-options'].length === 0 ? { error: t('companies:noStartOption') } : {})}
        >
          <Group mt="xs" gap="lg">
            {startOptions.map((option) => (
              <Checkbox key={option} value={option} label={t(`terms:startOption.${option}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group align="flex-end" wrap="wrap">
          <MultiSelect
            label={t('companies:dependentTypes')}
            description={t('companies:dependentTypesDescription')}
            flex="1 1 16rem"
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('companies:clearDependentTypes') }}
            data={dependentTypes.map((value) => ({ value, label: t(`terms:dependentType.${value}`) }))}
            {...form.getInputProps(`${path}.allowed-dependent-types`)}
          />
          <Button
            variant="default"
            onClick={() => form.setFieldValue(`${path}.allowed-dependent-types`, [...dependentTypes])}
          >
            {t('companies:allDependentTypes')}
          </Button>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label={t('companies:billingDay')}
            description={t('companies:billingDayDescription')}
            inputWrapperOrder={inputWrapperOrder}
            {...days}
            {...form.getInputProps(`${path}.billing-day`)}
          />
          <NumberInput
            label={t('companies:cutOffDay')}
            description={t('companies:cutOffDayDescription')}
            inputWrapperOrder={inputWrapperOrder}
            {...days}
            {...form.getInputProps(`${path}.cut-off-day`)}
          />
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            size="xs"
            aria-label={t('companies:moveUp', { name })}
            disabled={index === 0}
            onClick={() => form.reorderListItem('products', { from: index, to: index - 1 })}
          >
            {t('companies:up')}
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-label={t('companies:moveDown', { name })}
            disabled={index === form.values.products.length - 1}
            onClick={() => form.reorderListItem('products', { from: index, to: index + 1 })}
          >
            {t('companies:down')}
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-label={t('companies:removeProduct', { name })}
            onClick={() => form.removeListItem('products', index)}
          >
            {t('companies:remove')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
