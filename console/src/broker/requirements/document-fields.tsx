import { Button, Fieldset, Group, MultiSelect, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DOCUMENT_TYPES } from '../../../../src/kernel/enums.ts'
import { DOCUMENT_OWNERS } from '../../../../src/registry/rules/requirement.ts'
import type { RuleFields } from './rule-fields.ts'
import { newRequire } from './rule-values.ts'

/** What a rule asks for: of the types of one document one is enough. */
export function DocumentFields({ form }: { readonly form: RuleFields }) {
  const { t } = useTranslation(['requirements', 'terms'])
  return (
    <>
      <Text size="sm">{t('requirements:documentsDescription')}</Text>
      {form.values.require.map(({ key }, index) => {
        const path = `require.${index}` as const
        const number = String(index + 1)
        return (
          <Fieldset key={key} legend={t('requirements:documentNumber', { number })} p="sm">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <MultiSelect
                label={t('requirements:anyOf')}
                required
                searchable
                data={DOCUMENT_TYPES.map((value) => ({ value, label: t(`terms:documentType.${value}`) }))}
                {...form.getInputProps(`${path}.any-of`)}
              />
              <Select
                label={t('requirements:owner')}
                clearable
                clearButtonProps={{ 'aria-label': t('requirements:clear', { field: t('requirements:owner') }) }}
                placeholder={t('requirements:unsaid')}
                data={DOCUMENT_OWNERS.map((value) => ({ value, label: t(`requirements:owners.${value}`) }))}
                {...form.getInputProps(`${path}.of`)}
              />
            </SimpleGrid>
            <TextInput
              label={t('requirements:message')}
              description={t('requirements:messageDescription')}
              required
              mt="xs"
              {...form.getInputProps(`${path}.message`)}
            />
            {form.values.require.length > 1 && (
              <Group justify="flex-end" mt="xs">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('requirements:removeDocument', { number })}
                  onClick={() => form.removeListItem('require', index)}
                >
                  {t('requirements:remove')}
                </Button>
              </Group>
            )}
          </Fieldset>
        )
      })}
      <Group>
        <Button variant="default" onClick={() => form.insertListItem('require', newRequire())}>
          {t('requirements:addDocument')}
        </Button>
      </Group>
    </>
  )
}
