import { Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ACKNOWLEDGEMENT_COLUMNS, ACKNOWLEDGEMENT_OUTCOMES } from '../../../../src/registry/rules/acknowledgement.ts'
import type { ContractFields } from './contract-fields.ts'
import { newHeading, newWord } from './contract-values.ts'

/** How the carrier's spreadsheets are read: what its headings are, and what its words for the outcome mean. */
export function MappingFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  const { headings, words } = form.values
  return (
    <Fieldset legend={t('form.mapping')}>
      <Stack gap="xs">
        <Text size="sm">{t('form.mappingDescription')}</Text>
        {headings.map(({ key }, index) => (
          <Group key={key} align="flex-end">
            <TextInput
              label={t('form.heading')}
              autoComplete="off"
              {...form.getInputProps(`headings.${index}.heading`)}
            />
            <Select
              label={t('form.meaning')}
              allowDeselect={false}
              data={ACKNOWLEDGEMENT_COLUMNS.map((value) => ({ value, label: t(`form.columns.${value}`) }))}
              {...form.getInputProps(`headings.${index}.column`)}
            />
            <Button
              variant="default"
              aria-label={t('form.removeHeading', { number: String(index + 1) })}
              onClick={() => form.removeListItem('headings', index)}
            >
              {t('form.remove')}
            </Button>
          </Group>
        ))}
        {words.map(({ key }, index) => (
          <Group key={key} align="flex-end">
            <TextInput label={t('form.word')} autoComplete="off" {...form.getInputProps(`words.${index}.word`)} />
            <Select
              label={t('form.meaning')}
              allowDeselect={false}
              data={ACKNOWLEDGEMENT_OUTCOMES.map((value) => ({ value, label: t(`form.outcomes.${value}`) }))}
              {...form.getInputProps(`words.${index}.outcome`)}
            />
            <Button
              variant="default"
              aria-label={t('form.removeWord', { number: String(index + 1) })}
              onClick={() => form.removeListItem('words', index)}
            >
              {t('form.remove')}
            </Button>
          </Group>
        ))}
        <Group>
          <Button variant="default" onClick={() => form.insertListItem('headings', newHeading())}>
            {t('form.addHeading')}
          </Button>
          <Button variant="default" onClick={() => form.insertListItem('words', newWord())}>
            {t('form.addWord')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
