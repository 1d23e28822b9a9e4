import { Button, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ContactValues, newContact } from './contact-values.ts'

/** What the fields need of a form that has contacts. */
interface FormOfContacts {
  readonly values: { readonly contacts: readonly ContactValues[] }
  readonly getInputProps: (path: string) => object
  readonly insertListItem: (path: 'contacts', item: ContactValues) => void
  readonly removeListItem: (path: 'contacts', index: number) => void
}

/** People to talk to, of a contract or a company. */
export function ContactFields({ form, label }: { readonly form: FormOfContacts; readonly label: string }) {
  const { t } = useTranslation('carriers')
  return (
    <>
      {form.values.contacts.map(({ key }, index) => (
        <Group key={key} align="flex-end" role="group" aria-label={`${label} ${index + 1}`}>
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
