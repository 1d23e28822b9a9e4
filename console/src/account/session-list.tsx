import { Button, Group, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { Badge } from '../components/badge.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { notifyDone } from '../components/notify.ts'
import { PlainTable, plain } from '../components/plain-table.tsx'
import { timestamp } from '../lists/columns.tsx'

type Session = Result<'readAccount'>['sessions'][number]

/** The sessions of the account. Those of other browsers can be ended. */
export function SessionList({ sessions }: { readonly sessions: readonly Session[] }) {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () => api.account.endOtherSessions(),
    onSuccess: async () => {
      notifyDone(t('othersEnded'))
      await queryClient.invalidateQueries({ queryKey: ['readAccount'] })
    },
  })
  return (
    <section aria-labelledby="sessions">
      <Group justify="space-between" mt="xl" mb="xs" maw="52rem">
        <Title id="sessions" order={2} size="h4">
          {t('sessionsTitle')}
        </Title>
        {sessions.some((session) => !session['is-current']) && (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {t('endOthers')}
          </Button>
        )}
      </Group>
      {end.error !== null && <ErrorMessage error={end.error} />}
      <PlainTable<Session>
        label={t('sessionsTitle')}
        box={{ role: 'group', style: { maxWidth: '52rem' } }}
        items={sessions}
        idOf={(session) => session['created-at']}
        columns={[
          timestamp(t('signedInAt'), 'created-at'),
          timestamp(t('lastUsed'), 'last-used-at'),
          plain(t('method'), (session) => t(`methods.${session['signed-in-with']}`)),
          plain(<span className="visually-hidden">{t('thisSession')}</span>, (session) =>
            session['is-current'] ? <Badge color="blue">{t('thisSession')}</Badge> : null,
          ),
        ]}
      />
    </section>
  )
}
