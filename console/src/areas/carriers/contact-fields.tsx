import { Button, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ContractFields } from './contract-fields.ts'
import { newContact } from './contract-values.ts'

/** Who at the carrier takes the movements. */
export function ContactFields({ form }: { readonly form: ContractFields }) {
  const { t } = useTranslation('carriers')
  return (
    <>
      {form.values.contacts.map(({ key }, index) => (
        <Group key={key} align="flex-end" role="group" aria-label={`${t('contacts')} ${index + 1}`}>
          <TextInput
            label={t('form.contactName')}
            required
            flex="2 1 12rem"
            {...form.getInputProps(`contacts.${index}.name`)}
          />
          <TextInput label={t('form.email')} flex="2 1 12rem" {...form.getInputProps(`contacts.${index}.email`)} />
          <TextInput label={t('form.phone')} flex="1 1 9rem" {...form.getInputProps(`contacts.${index}.phone`)} />
          <Button
            variant="default"
            aria-label={t('form.removeContact', { number: String(index + 1) })}
            onClick={() => form.removeListItem('contacts', index)}
          >
            {t('form.remove')}
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" onClick={() => form.insertListItem('contacts', newContact())}>
          {t('form.addContact')}
        </Button>
      </Group>
    </>
  )
}
