import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { ActDialog } from '../components/act-dialog.tsx'
import { TimestampValue, Value } from '../components/value.tsx'
import { signInOptionsQuery } from '../session/sign-in-options.ts'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { PlainTable, plain, rowHeader } from '../components/plain-table.tsx'
import { timestamp } from '../lists/columns.tsx'
import { DialogButton } from '../components/dialog.tsx'

type Passkey = Result<'readAccount'>['passkeys'][number]

/** The passkeys of the account, with their last use. */
export function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { t } = useTranslation('account')
  const options = useQuery(signInOptionsQuery)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const isAvailable = options.data?.passkeys === true && 'PublicKeyCredential' in window
  return (
    <section aria-labelledby="passkeys">
      <Group justify="space-between" mt="xl" mb="xs" maw="52rem">
        <Title id="passkeys" order={2} size="h4">
          {t('passkeysTitle')}
        </Title>
        {isAvailable && (
          <DialogButton variant="default" dialog={(close) => <AddPasskeyDialog onClose={close} />}>
            {t('addPasskey')}
          </DialogButton>
        )}
      </Group>
      <Text size="sm" maw="40rem" mb="xs">
        {t('passkeysExplanation')}
      </Text>
      {options.data !== undefined && !isAvailable && (
        <Text size="sm" c="dimmed" maw="40rem">
          {t('passkeysUnavailable')}
        </Text>
      )}
      {passkeys.length === 0 ? (
        isAvailable && (
          <Text size="sm" c="dimmed">
            {t('noPasskeys')}
          </Text>
        )
      ) : (
        <PlainTable<Passkey>
          label={t('passkeysTitle')}
          box={{ role: 'group', style: { maxWidth: '52rem' } }}
          items={passkeys}
          idOf={(passkey) => passkey['passkey-id']}
          columns={[
            rowHeader(t('passkeyName'), ({ name }) => <Value>{name}</Value>, { fw: 500 }),
            timestamp(t('createdAt'), 'created-at'),
            plain(t('lastUsed'), (passkey) =>
              passkey['last-used-at'] === null ? t('never') : <TimestampValue value={passkey['last-used-at']} />,
            ),
            plain(
              <span className="visually-hidden">{t('remove')}</span>,
              (passkey) => (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('removeOf', { name: passkey.name })}
                  onClick={() => setRemoved(passkey)}
                >
                  {t('remove')}
                </Button>
              ),
              { ta: 'right' },
            ),
          ]}
        />
      )}
      {removed !== null && <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </section>
  )
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const { t } = useTranslation('account')
  const { name } = passkey
  return (
    <ActDialog
      title={t('removeTitle', { name })}
      action={t('remove')}
      isDestructive
      act={() => api.account.removePasskey(passkey['passkey-id'])}
      done={t('passkeyRemoved', { name })}
      onClose={onClose}
    >
      <Text size="sm">{t('removeExplanation')}</Text>
    </ActDialog>
  )
}
