import { Anchor, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import type { Contacts } from './contact-values.ts'

/** People to talk to, of a contract or a company. */
export function ContactList({ contacts }: { readonly contacts: Contacts }) {
  const { t } = useTranslation('carriers')
  if (contacts.length === 0) return <Text size="sm">{t('noContacts')}</Text>
  return (
    <List size="sm">
      {contacts.map(({ name, email, phone }) => (
        <List.Item key={`${name} ${email} ${phone}`}>
          <Value>
            {name}
            {email !== null && (
              <>
                {' · '}
                <Anchor size="sm" underline="always" href={`mailto:${email}`}>
                  {email}
                </Anchor>
              </>
            )}
            {phone !== null && ` · ${phone}`}
          </Value>
        </List.Item>
      ))}
    </List>
  )
}
