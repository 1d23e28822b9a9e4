import { NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Value as FieldData, written } from './field-types.ts'
import { textOf } from './offenses.ts'
import { RegistrationInput } from './registration-input.tsx'
import { Message } from '../../components/state-view.tsx'
import { useKept } from '../../forms/kept-draft.tsx'
import { Value } from '../../components/value.tsx'
import { AlterationForm, type AlteredPerson } from './alteration-form.tsx'

/** Another plan of the type of one that the person has. */
export function PlanForm({ member, company, sent }: AlteredPerson) {
  const { t } = useTranslation('hr')
  const [productId, setProductId] = useKept('plan', () => '')
  const [start, setStart] = useKept<FieldData>('start', () => null)
  const [reason, setReason] = useKept<FieldData>('reason', () => null)
  const held = member.benefits.filter(
    ({ type, status, 'company-tax-id': taxId }) =>
      type === 'primary' && status === 'active' && taxId === company['tax-id'],
  )
  const plans = company.products.filter(
    (product) =>
      held.some((benefit) => benefit['product-type'] === product['product-type']) &&
      held.every((benefit) => benefit['product-id'] !== product['product-id']),
  )
  if (plans.length === 0) return <Message title={t('changePlan')}>{t('noOtherPlan')}</Message>
  const chosen = plans.find((product) => product['product-id'] === productId)
  const former = held.find((benefit) => benefit['product-type'] === chosen?.['product-type'])
  const data =
    chosen === undefined ? {} : { 'new-product-id': productId, ...written({ 'requested-start-date': start, reason }) }
  return (
    <AlterationForm
      member={member}
      company={company}
      sent={sent}
      data={data}
      shown={['new-product-id', 'requested-start-date', 'reason']}
      summary={
        <Text size="sm">
          <Value>
            {former?.['product-name']} → {chosen?.['product-name']}
          </Value>
        </Text>
      }
    >
      {(offenses, changed) => (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
          <NativeSelect
            label={t('newPlan')}
            required
            translate="no"
            value={productId}
            error={textOf(offenses, 'new-product-id')}
            data={[
              { value: '', label: '' },
              ...plans.map((product) => ({
                value: product['product-id'],
                label: `${product['product-name']} · ${product['carrier-name']}`,
              })),
            ]}
            onChange={({ currentTarget: { value } }) => {
              setProductId(value)
              changed()
            }}
          />
          <RegistrationInput
            name="requested-start-date"
            value={start}
            error={textOf(offenses, 'requested-start-date')}
            onChange={(value) => {
              setStart(value)
              changed()
            }}
          />
          <RegistrationInput
            name="reason"
            value={reason}
            error={textOf(offenses, 'reason')}
            onChange={(value) => {
              setReason(value)
              changed()
            }}
          />
        </SimpleGrid>
      )}
    </AlterationForm>
  )
}
