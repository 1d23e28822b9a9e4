import { Button, Group, Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAIL_KINDS, MAIL_STATUSES, type MailStatus } from '../../../../src/kernel/mail.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Badge, type BadgeColor } from '../../components/badge.tsx'
import { Value } from '../../components/value.tsx'
import { column, side, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { usePermission } from '../../session/use-permission.ts'

const List = listPage('listMails')

type Mail = Item<'listMails'>
interface Chosen {
  readonly act: 'sendAgain' | 'cancel'
  readonly mail: Mail
}

const colors: Readonly<Record<MailStatus, BadgeColor>> = {
  queued: 'blue',
  sending: 'blue',
  sent: 'green',
  failed: 'red',
  doubtful: 'orange',
  cancelled: 'gray',
}

/** The e-mails of the installation, and what became of each. */
export function MailsPage() {
  const { t } = useTranslation(['mails', 'terms'])
  const mayAct = usePermission('sendAgainMail')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  return (
    <List
      title={t('mails:title')}
      options={{ refetchInterval: 5_000 }}
      filters={
        <>
          <Text size="sm" mb="md" maw="52rem">
            {t('mails:explanation')}
          </Text>
          <Group align="flex-end" mb="md" role="search" aria-label={t('mails:title')}>
            <ChoiceFilter
              name="status"
              label={t('mails:status')}
              any={t('mails:any')}
              data={MAIL_STATUSES.map((value) => ({ value, label: t(`terms:mailStatus.${value}`) }))}
            />
            <ChoiceFilter
              name="kind"
              label={t('mails:kind')}
              any={t('mails:any')}
              data={MAIL_KINDS.map((value) => ({ value, label: t(`terms:mailKind.${value}`) }))}
            />
          </Group>
        </>
      }
      columns={[
        text(t('mails:kind'), ({ kind }) => t(`terms:mailKind.${kind}`), 'minmax(10rem, 1fr)'),
        column(t('mails:to'), 'minmax(12rem, 2fr)', ({ email }) =>
          email === null ? t('mails:employee') : <Value>{email}</Value>,
        ),
        side(t('mails:status'), '7.5rem', ({ status }) => (
          <Badge color={colors[status]}>{t(`terms:mailStatus.${status}`)}</Badge>
        )),
        column(t('mails:error'), 'minmax(6rem, 1fr)', ({ error }) => <Value>{error ?? '—'}</Value>),
        timestamp(t('mails:createdAt'), 'created-at', '8.5rem'),
        timestamp(t('mails:finishedAt'), 'finished-at', '8.5rem'),
        mayAct && side(t('mails:acts'), '15rem', (mail) => <Acts mail={mail} onChoose={setChosen} />),
      ]}
      idOf={(mail) => mail['mail-id']}
      empty={t('mails:none')}
    >
      {chosen !== null && <MailDialog {...chosen} onClose={() => setChosen(null)} />}
    </List>
  )
}

function Acts({ mail, onChoose }: { readonly mail: Mail; readonly onChoose: (chosen: Chosen) => void }) {
  const { t } = useTranslation('mails')
  const { status } = mail
  const isOver = status === 'failed' || status === 'doubtful'
  return (
    <Group gap={6} wrap="nowrap">
      {isOver && (
        <Button size="compact-sm" variant="default" onClick={() => onChoose({ act: 'sendAgain', mail })}>
          {t('sendAgain')}
        </Button>
      )}
      {(isOver || status === 'queued') && (
        <Button size="compact-sm" variant="default" onClick={() => onChoose({ act: 'cancel', mail })}>
          {t('cancel')}
        </Button>
      )}
    </Group>
  )
}

function MailDialog({ act, mail, onClose }: Chosen & { readonly onClose: () => void }) {
  const { t } = useTranslation('mails')
  const id = mail['mail-id']
  const isSending = act === 'sendAgain'
  return (
    <ActDialog
      action={t(act)}
      isDestructive={!isSending}
      act={() => (isSending ? api.mails.sendAgain(id) : api.mails.cancel(id))}
      done={t(isSending ? 'sentAgain' : 'cancelled')}
      onClose={onClose}
    >
      <Text size="sm">
        {t(isSending ? (mail.status === 'doubtful' ? 'againDoubtful' : 'againQuestion') : 'cancelQuestion')}
      </Text>
    </ActDialog>
  )
}
