import { Accordion, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { ContactFields } from '../../entities/contacts/contact-fields.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { fieldErrorsOf } from '../../forms/field-errors.ts'
import { LeaveQuestion } from '../../forms/leave-question.tsx'
import { ProductFields, type ProductForm } from './product-fields.tsx'
import { ProductTypeText } from '../../components/product-type.tsx'
import { type CompanyValues, newProduct, type ProductValues } from './product-values.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import type { Saving } from '../../forms/page-form.tsx'

const inputs = [
  'name',
  'product-name',
  'carrier-name',
  'product-type',
  'allowed-dependent-types',
  'allowed-start-options',
  'billing-day',
  'cut-off-day',
  'email',
  'phone',
]

/**
 * The name and the products of a company. What was written stays until it is saved: an error leaves it as it is, and leaving the page asks.
 * @param props.children fields before the name.
 */
export function CompanyForm(props: {
  readonly initialValues: CompanyValues
  readonly saving: Saving<CompanyValues>
  readonly children?: ReactNode
  /** The CNPJ of the company that is edited. */
  readonly taxId?: string
}) {
  const { t } = useTranslation('companies')
  const form: ProductForm = useForm<CompanyValues>({ initialValues: props.initialValues })
  const { products } = form.values
  const [added, setAdded] = useState<string | null>(null)
  // A new product is filled in; one that is known shows what names it.
  const [opened, setOpened] = useState(() =>
    props.initialValues.products.flatMap((product) => (product['product-id'] === null ? [product.key] : [])),
  )
  const kept = new Set(products.map(({ key }) => key))
  const retired = props.initialValues.products.filter(({ key }) => !kept.has(key))

  const submit = form.onSubmit(async (values) => {
    try {
      await props.saving.save(values)
    } catch (error) {
      const messages = error instanceof Error ? fieldErrorsOf(error, inputs) : {}
      form.setErrors(messages)
      const [first] = Object.keys(messages)
      const wrong = Object.keys(messages).flatMap(
        (path) => products[Number(/^products\.(\d+)/.exec(path)?.[1])]?.key ?? [],
      )
      // Their inputs are hidden until then, and cannot have the focus.
      flushSync(() => setOpened([...opened, ...wrong]))
      if (first !== undefined) form.getInputNode(first)?.focus()
    }
  })
  const add = (product: ProductValues) => {
    form.insertListItem('products', product)
    setAdded(product.key)
    setOpened([...opened, product.key])
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw="60rem">
        {props.children}
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <SectionTitle mb={0}>{t('products')}</SectionTitle>
        <Accordion multiple value={opened} onChange={setOpened} variant="separated" order={3}>
          {products.map((product, index) => (
            <Accordion.Item key={product.key} value={product.key}>
              <Accordion.Control>
                <ProductSummary product={product} index={index} />
              </Accordion.Control>
              <Accordion.Panel>
                <ProductFields form={form} index={index} isNew={product.key === added} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
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
        <SectionTitle mb={0}>{t('contacts')}</SectionTitle>
        <ContactFields form={form} label={t('contacts')} />
        {props.saving.error !== null && (props.saving.notice ?? <ErrorMessage error={props.saving.error} />)}
        <Group>
          <Button type="submit" loading={props.saving.isSaving}>
            {t('save')}
          </Button>
          <Button
            variant="default"
            renderRoot={(link) =>
              props.taxId === undefined ? (
                <Link to="/companies" {...link} />
              ) : (
                <Link to="/companies/$taxId" params={{ taxId: props.taxId }} {...link} />
              )
            }
          >
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
      <LeaveQuestion isDirty={() => form.isDirty()} />
    </form>
  )
}

/** What names a product whose fields are hidden. */
function ProductSummary({ product, index }: { readonly product: ProductValues; readonly index: number }) {
  const { t } = useTranslation('companies')
  const { 'product-name': name, 'carrier-name': carrier, 'product-type': type } = product
  return (
    <>
      {name === '' ? t('productNumber', { number: String(index + 1) }) : <Value>{name}</Value>}
      <Text span size="sm" c="dimmed">
        {carrier !== '' && <Value> · {carrier}</Value>}
        {type !== null && (
          <>
            {' · '}
            <ProductTypeText value={type} />
          </>
        )}
      </Text>
    </>
  )
}
