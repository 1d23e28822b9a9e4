import { Button, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAIL_FREQUENCIES, type MailFrequency } from '../../../src/kernel/mail.ts'
import { api } from '../api/client.ts'
import { useOperation } from '../api/use-operation.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { notifyDone } from '../components/notify.ts'
import { QueryView } from '../components/state-view.tsx'

type Preferences = Result<'readMailPreferences'>

/** Which e-mails the person gets; nothing where the installation sends none. */
export function MailPreferences() {
  const preferences = useOperation('readMailPreferences')
  if (preferences.data?.result['is-mail-on'] === false) return null
  return <QueryView query={preferences}>{({ result }) => <Fields preferences={result} />}</QueryView>
}

function Fields({ preferences }: { readonly preferences: Preferences }) {
  const { t } = useTranslation(['account', 'terms'])
  const queryClient = useQueryClient()
  const [{ language, frequencies }, setChosen] = useState(preferences)
  const save = useMutation({
    mutationFn: () => api.account.putMailPreferences({ language, frequencies }),
    onSuccess: async () => {
      notifyDone(t('account:mailSaved'))
      await queryClient.invalidateQueries({ queryKey: ['readMailPreferences'] })
    },
  })
  return (
    <section aria-labelledby="mail" style={{ maxWidth: '26rem' }}>
      <Title id="mail" order={2} size="h4" mt="xl" mb="xs">
        {t('account:mailTitle')}
      </Title>
      <Text size="sm" mb="sm">
        {t('account:mailExplanation')}
      </Text>
      {save.error !== null && <ErrorMessage error={save.error} />}
      <Stack gap="sm" align="stretch">
        <NativeSelect
          label={t('account:mailLanguage')}
          value={language}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value as Preferences['language']
            setChosen((before) => ({ ...before, language: chosen }))
          }}
          data={[
            { value: 'pt-BR', label: 'Português' },
            { value: 'en', label: 'English' },
          ]}
        />
        {frequencies.map(({ kind, frequency }) => (
          <NativeSelect
            key={kind}
            label={t(`terms:mailKind.${kind}`)}
            value={frequency}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as MailFrequency
              setChosen((before) => ({
                ...before,
                frequencies: before.frequencies.map((one) => (one.kind === kind ? { kind, frequency: chosen } : one)),
              }))
            }}
            data={MAIL_FREQUENCIES.map((value) => ({ value, label: t(`terms:mailFrequency.${value}`) }))}
          />
        ))}
        <div>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {t('account:saveMail')}
          </Button>
        </div>
      </Stack>
    </section>
  )
}
