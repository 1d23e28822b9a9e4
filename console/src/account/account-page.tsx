import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../api/use-operation.ts'
import { FactList, fact } from '../components/fact-list.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { QueryView } from '../components/state-view.tsx'
import { TimestampValue, Value } from '../components/value.tsx'
import { MailPreferences } from './mail-preferences.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

/** The own account of whoever is signed in. */
export function AccountPage() {
  const { t } = useTranslation(['account', 'terms'])
  const account = useOperation('readAccount')
  return (
    <>
      <PageHeader title={t('account:title')} />
      <QueryView query={account}>
        {({ result }) => (
          <>
            <FactList
              facts={[
                fact(t('account:name'), <Value>{result.name}</Value>),
                result.email !== null && fact(t('account:email'), <Value>{result.email}</Value>),
                fact(t('account:role'), t(`terms:role.${result.role}`)),
                result.email !== null &&
                  fact(t('account:lastSignIn'), <TimestampValue value={result['last-sign-in-at']} />),
              ]}
            />
            {result.email === null ? (
              <Text size="sm" mt="md" maw="40rem">
                {t('account:withoutEmail')}
              </Text>
            ) : (
              <>
                <PasskeyList passkeys={result.passkeys} />
                <PasswordForm />
                <MailPreferences />
              </>
            )}
            <SessionList sessions={result.sessions} />
          </>
        )}
      </QueryView>
    </>
  )
}
