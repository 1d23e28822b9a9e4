import { Anchor, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DocumentType } from '../../../../src/kernel/enums.ts'
import { isSuspicious } from '../../../../src/kernel/person-text.ts'
import { warningWords } from '../../entities/movement-forms/warning-words.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { Value } from '../../components/value.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import type { Review } from './invitation.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

interface SentDocument {
  readonly 'document-id': string
  readonly 'document-type': DocumentType
}

/** What an employee wrote of a person, with the documents. */
export function PersonData(props: {
  readonly title: string
  readonly review: Review
  readonly person: Readonly<Record<string, unknown>>
}) {
  const { t } = useTranslation(['onboarding', 'terms'])
  const { title, review, person } = props
  const { documents, 'dependent-product-ids': productIds, 'dependent-type': type, ...fields } = person
  const products = review.products.filter((one) => (productIds as string[] | undefined)?.includes(one['product-id']))
  return (
    <section>
      <SectionTitle>
        {title}
        {typeof type === 'string' && <> · {t(`terms:dependentType.${type as 'child'}`)}</>}
        {typeof fields['name'] === 'string' && (
          <>
            {': '}
            <Value>{fields['name']}</Value>
          </>
        )}
      </SectionTitle>
      <FactList
        facts={[
          ...Object.entries(fields).map(([name, value]) =>
            fact(<FieldName field={name} />, <SentValue name={name} value={value} />),
          ),
          products.length !== 0 &&
            fact(t('onboarding:products'), <Value>{products.map((one) => one['product-name']).join(', ')}</Value>),
        ]}
      />
      <Documents review={review} documents={(documents ?? []) as readonly SentDocument[]} />
    </section>
  )
}

/** What was written in a field, with a warning where characters of it seem to be lost. */
function SentValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <FieldValue name={name} value={value} />
      {typeof value === 'string' && isSuspicious(value) && (
        <Text size="sm" fw={700}>
          {warningWords()['suspicious-text']}
        </Text>
      )}
    </>
  )
}

function Documents({ review, documents }: { readonly review: Review; readonly documents: readonly SentDocument[] }) {
  const { t } = useTranslation(['onboarding', 'terms'])
  if (documents.length === 0) return null
  return (
    <>
      <Text fw={600} size="sm" mt="sm" mb={4}>
        {t('onboarding:documents')}
      </Text>
      <List size="sm">
        {documents.map(({ 'document-id': id, 'document-type': type }) => (
          <List.Item key={id}>
            <Anchor size="sm" download href={`/v1/onboarding-invitation/${review['invitation-id']}/document/${id}`}>
              <Value>{review.documents.find((one) => one['document-id'] === id)?.name ?? id}</Value>
            </Anchor>{' '}
            · {t(`terms:documentType.${type}`)}
          </List.Item>
        ))}
      </List>
    </>
  )
}
