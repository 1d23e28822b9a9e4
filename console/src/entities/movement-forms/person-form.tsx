import { Button, Fieldset, Group, SimpleGrid, Text } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import type { FieldOffense } from './offenses.ts'
import { textOf } from './offenses.ts'
import { NeededDocuments, useRequirements } from './needed-documents.tsx'
import { OtherOffenses } from './other-offenses.tsx'
import { RegistrationInput } from './registration-input.tsx'
import { Value } from '../../components/value.tsx'
import { chosenOf, type Draft, type Family, productsFor } from './drafts.ts'
import { isRequired, moreFields, openGroups } from './field-groups.ts'
import { ProductChoice } from './product-choice.tsx'

/** A person of the family: who it is, the products, and the documents that the carriers want for it. */
export function PersonForm(props: {
  readonly draft: Draft
  readonly family: Family
  readonly company: Company
  /** The offenses of this person. */
  readonly offenses: readonly FieldOffense[]
  readonly onChange: (draft: Draft) => void
  /** Absent: the person stays. */
  readonly onRemove?: (() => void) | undefined
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { draft, family, company, offenses, onChange, onRemove } = props
  const { type, values, products } = draft
  const chosen = chosenOf(draft, family, company)
  const wanted = useRequirements(
    chosen.map((product) => ({
      'company-tax-id': company['tax-id'],
      'product-id': product['product-id'],
      movement: 'inclusion',
      'beneficiary-type': type,
      'dependent-type': (type === 'dependent' && values['dependent-type']) || undefined,
      'work-contract-type': values['work-contract-type'] || undefined,
    })),
  )
  const more = moreFields(type)
  const named = new Set([...openGroups[type].flatMap(({ fields }) => fields), ...more, 'products', 'documents'])
  const others = offenses.filter(({ field }) => !named.has(field))
  const input = (field: string) => (
    <RegistrationInput
      key={field}
      name={field}
      value={values[field] ?? null}
      required={isRequired(field, type, Object.values(products))}
      error={textOf(offenses, field)}
      onChange={(value) => onChange({ ...draft, values: { ...values, [field]: value } })}
    />
  )
  const title = t(`terms:beneficiaryType.${type}`)
  const isMoreWrong = more.some((field) => textOf(offenses, field) !== undefined)
  return (
    <Fieldset
      legend={
        <>
          {title} <Value>{typeof values['name'] === 'string' ? values['name'] : ''}</Value>
        </>
      }
    >
      <OtherOffenses offenses={others} />
      {openGroups[type].map(({ name, fields }) => (
        <section key={name} aria-label={t(`hr:groups.${name}`)}>
          <Text fw={600} size="sm" mt="sm" mb={4}>
            {t(`hr:groups.${name}`)}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
            {fields.map(input)}
          </SimpleGrid>
        </section>
      ))}
      <details className="disclosure" open={isMoreWrong || undefined}>
        <summary>{t('hr:moreFields')}</summary>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs" mt="xs">
          {more.map(input)}
        </SimpleGrid>
      </details>
      <ProductChoice
        available={productsFor(draft, family, company)}
        chosen={products}
        error={textOf(offenses, 'products')}
        onChange={(next) => onChange({ ...draft, products: next })}
      />
      <Text fw={600} size="sm" mt="md" mb={4}>
        {t('hr:documents')}
      </Text>
      <NeededDocuments
        wanted={wanted}
        documents={draft.documents}
        onChange={(documents) => onChange({ ...draft, documents })}
      />
      {textOf(offenses, 'documents') !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          <Value>{textOf(offenses, 'documents')}</Value>
        </Text>
      )}
      {onRemove !== undefined && (
        <Group mt="md">
          <Button variant="subtle" color="red" onClick={onRemove}>
            {t('hr:removePerson')}
          </Button>
        </Group>
      )}
    </Fieldset>
  )
}
