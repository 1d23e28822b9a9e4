import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TimestampValue } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { column, side, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { AccessDialog, BlockDialog, NewLinkDialog } from './person-dialogs.tsx'
import type { Person } from './person.ts'
import { listPage } from '../../lists/list-page.tsx'
import { DialogButton } from '../../components/dialog.tsx'

type Action = 'access' | 'link' | 'block'

const List = listPage('listPeople')

/** The people who sign in with an e-mail address: invitations, roles, companies and blocks. */
export function PeoplePage() {
  const { t } = useTranslation(['people', 'accounts', 'terms'])
  const mayWrite = usePermission('createPerson')
  // The person stays while its dialog fades out.
  const [target, setTarget] = useState<Person | null>(null)
  const [action, setAction] = useState<Action | null>(null)
  const choose = (person: Person, chosen: Action) => {
    setTarget(person)
    setAction(chosen)
  }
  const close = () => setAction(null)
  return (
    <List
      title={t('people:title')}
      actions={
        mayWrite && (
          <DialogButton dialog={(close) => <InviteDialog onClose={close} />}>{t('people:invite')}</DialogButton>
        )
      }
      columns={[
        text(t('accounts:name'), 'name', 'minmax(10rem, 2fr)'),
        column(t('people:role'), '8rem', ({ role }) => t(`terms:role.${role}`)),
        side(t('people:status'), '8rem', ({ status }) => t(`terms:personStatus.${status}`)),
        mayWrite &&
          side(t('accounts:actions'), '7rem', (person) => (
            <PersonMenu person={person} onChoose={(chosen) => choose(person, chosen)} />
          )),
        column(t('people:lastSignIn'), '9rem', (person) =>
          person['last-sign-in-at'] === null ? t('people:never') : <TimestampValue value={person['last-sign-in-at']} />,
        ),
        text(t('people:email'), 'email', 'minmax(14rem, 1fr)'),
        text(
          t('people:companies'),
          (person) => person['company-tax-ids'].map(formatCnpj).join(', '),
          'minmax(10rem, 1fr)',
        ),
      ]}
      idOf={(person) => person['person-id']}
    >
      {target !== null && (
        <>
          {action === 'access' && <AccessDialog person={target} onClose={close} />}
          <NewLinkDialog opened={action === 'link'} person={target} onClose={close} />
          {action === 'block' && <BlockDialog person={target} onClose={close} />}
        </>
      )}
    </List>
  )
}

function PersonMenu({ person, onChoose }: { readonly person: Person; readonly onChoose: (action: Action) => void }) {
  const { t } = useTranslation(['people', 'accounts'])
  const isBlocked = person.status === 'blocked'
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-xs" variant="default" aria-label={t('accounts:actionsOf', { name: person.name })}>
          {t('accounts:actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose('access')}>{t('people:changeAccess')}</Menu.Item>
        {!isBlocked && <Menu.Item onClick={() => onChoose('link')}>{t('people:newLink')}</Menu.Item>}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => onChoose('block')}>
          {t(isBlocked ? 'people:unblock' : 'people:block')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
