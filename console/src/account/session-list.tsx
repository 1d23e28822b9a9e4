import { Button, Group, ScrollArea, Table, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { Badge } from '../components/badge.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { notifyDone } from '../components/notify.ts'
import { TimestampValue } from '../components/value.tsx'

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
      <ScrollArea maw="52rem" viewportProps={{ tabIndex: 0, 'aria-label': t('sessionsTitle'), role: 'group' }}>
        <Table verticalSpacing={6} aria-labelledby="sessions">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('signedInAt')}</Table.Th>
              <Table.Th scope="col">{t('lastUsed')}</Table.Th>
              <Table.Th scope="col">{t('method')}</Table.Th>
              <Table.Th scope="col">
                <span className="visually-hidden">{t('thisSession')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sessions.map((session) => (
              <Table.Tr key={session['created-at']}>
                <Table.Td>
                  <TimestampValue value={session['created-at']} />
                </Table.Td>
                <Table.Td>
                  <TimestampValue value={session['last-used-at']} />
                </Table.Td>
                <Table.Td>{t(`methods.${session['signed-in-with']}`)}</Table.Td>
                <Table.Td>{session['is-current'] && <Badge color="blue">{t('thisSession')}</Badge>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </section>
  )
}
