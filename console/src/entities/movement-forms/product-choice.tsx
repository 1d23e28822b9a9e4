import { Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import type { StartOption } from '../../../../src/kernel/enums.ts'
import { Value } from '../../components/value.tsx'

type Chosen = Readonly<Record<string, StartOption>>

/** The products of a person, each with when it starts. */
export function ProductChoice(props: {
  readonly available: Readonly<Company['products']>
  readonly chosen: Chosen
  readonly error: string | undefined
  readonly onChange: (chosen: Chosen) => void
}) {
  const { t } = useTranslation(['hr', 'terms'])
  const { available, chosen, error, onChange } = props
  const without = (id: string) => Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== id))
  return (
    <section aria-label={t('hr:products')}>
      <Text fw={600} size="sm" mt="md" mb={4}>
        {t('hr:products')}
      </Text>
      {available.length === 0 && <Text size="sm">{t('hr:noProducts')}</Text>}
      <Stack gap="xs">
        {available.map((product, index) => {
          const { 'product-id': id, 'product-name': name, 'allowed-start-options': options } = product
          const first = options[0] ?? 'on-inclusion-date'
          return (
            <Group key={id} gap="sm" align="center">
              <Checkbox
                label={
                  <Value>
                    {name} · {product['carrier-name']}
                  </Value>
                }
                checked={Object.hasOwn(chosen, id)}
                // The keyboard goes on here.
                aria-invalid={(error !== undefined && index === 0) || undefined}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? { ...chosen, [id]: first } : without(id))
                }
              />
              {Object.hasOwn(chosen, id) && (
                <NativeSelect
                  aria-label={t('hr:startOf', { product: name })}
                  value={chosen[id]}
                  data={options.map((one) => ({ value: one, label: t(`terms:startOption.${one}`) }))}
                  onChange={({ currentTarget: { value } }) => onChange({ ...chosen, [id]: value as StartOption })}
                />
              )}
            </Group>
          )
        })}
      </Stack>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={4}>
          <Value>{error}</Value>
        </Text>
      )}
    </section>
  )
}
