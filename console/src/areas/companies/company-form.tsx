import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { ProductFields, type ProductForm } from './product-fields.tsx'
import { type CompanyValues, newProduct, type ProductValues } from './product-values.ts'

const inputs = [
  'name',
  'product-name',
  'carrier-name',
  'product-type',
  'allowed-dependent-types',
  'allowed-start-options',
  'billing-day',
  'cut-off-day',
]

/**
 * The name and the products of a company. What was written stays until it is saved: an error leaves it as it is, and leaving the page asks.
 * @param props.save rejects with the error to show; leaves the page when it is done.
 * @param props.children fields before the name.
 * @param props.notice what else to say about the error of the save, instead of the general message.
 */
export function CompanyForm(props: {
  readonly initialValues: CompanyValues
  readonly save: (values: CompanyValues) => Promise<unknown>
  readonly isSaving: boolean
  readonly error: Error | null
  readonly notice?: ReactNode
  readonly children?: ReactNode
}) {
  const { t } = useTranslation('companies')
  const form: ProductForm = useForm<CompanyValues>({ initialValues: props.initialValues })
  const { products } = form.values
  const [added, setAdded] = useState<string | null>(null)
  const kept = new Set(products.map(({ key }) => key))
  const retired = props.initialValues.products.filter(({ key }) => !kept.has(key))

  const submit = form.onSubmit(async (values) => {
    try {
      await props.save(values)
    } catch (error) {
      const messages = error instanceof Error ? fieldErrorsOf(error, inputs) : {}
      form.setErrors(messages)
      const [first] = Object.keys(messages)
      if (first !== undefined) form.getInputNode(first)?.focus()
    }
  })
  const add = (product: ProductValues) => {
    form.insertListItem('products', product)
    setAdded(product.key)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw="60rem">
        {props.children}
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <Title order={2} size="h4">
          {t('products')}
        </Title>
        {products.map((product, index) => (
          <ProductFields key={product.key} form={form} index={index} isNew={product.key === added} />
        ))}
        <Group>
          <Button variant="default" onClick={() => add(newProduct())}>
            {t('addProduct')}
          </Button>
        </Group>
        {retired.length > 0 && (
          <Alert color="orange" title={t('retiredTitle', { count: retired.length })}>
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{t('retired')}</Text>
              {retired.map((product) => (
                <Button
                  key={product.key}
                  size="xs"
                  variant="default"
                  onClick={() => add(product)}
                  aria-label={t('restore', { name: product['product-name'] })}
                >
                  {t('restore', { name: product['product-name'] })}
                </Button>
              ))}
            </Stack>
          </Alert>
        )}
        {props.error !== null && (props.notice ?? <ErrorMessage error={props.error} />)}
        <Group>
          <Button type="submit" loading={props.isSaving}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
      <LeaveQuestion isDirty={() => form.isDirty()} />
    </form>
  )
}
