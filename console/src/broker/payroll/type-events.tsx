import { Button, Fieldset, Group, Select, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PRODUCT_TYPES } from '../../../../src/kernel/enums.ts'
import { useOperation } from '../../api/use-operation.ts'
import { isProductType } from '../../components/product-type.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { EventFields } from './event-fields.tsx'
import { noEvents, type ProfileValues } from './profile-values.ts'

/** Numbers of their own for types of products, such as dental ones. */
export function TypeEvents(props: { readonly form: UseFormReturnType<ProfileValues>; readonly taxId: string }) {
  const { t } = useTranslation(['payroll', 'terms'])
  const { form, taxId } = props
  const [chosen, setChosen] = useState<string | null>(null)
  const company = useOperation('readAnyCompany', { path: [taxId] })
  const byType = form.values.events['by-product-type']
  const ofCompany = (company.data?.result.products ?? []).map((product) => product['product-type'])
  const free = [...new Set([...ofCompany, ...PRODUCT_TYPES])].filter((type) => !Object.hasOwn(byType, type))
  const wordsOf = (type: string) => (isProductType(type) ? t(`terms:productType.${type}`) : type)
  const set = (next: ProfileValues['events']['by-product-type']) => form.setFieldValue('events.by-product-type', next)
  return (
    <>
      <SectionTitle mb={0}>{t('payroll:profile.byType')}</SectionTitle>
      {Object.keys(byType).map((type) => (
        <Fieldset key={type} legend={wordsOf(type)}>
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} style={{ alignItems: 'end' }}>
            <EventFields form={form} path={`events.by-product-type.${type}`} type={wordsOf(type)} />
            <Button
              variant="default"
              onClick={() => set(Object.fromEntries(Object.entries(byType).filter(([one]) => one !== type)))}
              aria-label={t('payroll:profile.removeType', { type: wordsOf(type) })}
            >
              {t('payroll:profile.remove')}
            </Button>
          </SimpleGrid>
        </Fieldset>
      ))}
      <Group align="flex-end">
        <Select
          label={t('payroll:profile.addType')}
          data={free.map((type) => ({ value: type, label: wordsOf(type) }))}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          variant="default"
          disabled={chosen === null}
          onClick={() => {
            if (chosen !== null) set({ ...byType, [chosen]: noEvents })
            setChosen(null)
          }}
        >
          {t('payroll:profile.add')}
        </Button>
      </Group>
    </>
  )
}
