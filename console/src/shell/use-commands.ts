import { useMantineColorScheme } from '@mantine/core'
import IconBuildingPlus from 'icon:building-plus'
import IconFilePlus from 'icon:file-plus'
import IconLayoutGridAdd from 'icon:layout-grid-add'
import IconLogout from 'icon:logout'
import IconMoon from 'icon:moon'
import IconSun from 'icon:sun'
import IconTable from 'icon:table'
import IconUserCheck from 'icon:user-check'
import IconUserCircle from 'icon:user-circle'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Icon } from '../components/icon.ts'
import { isPermitted } from '../session/permissions.ts'
import type { Session } from '../session/session.ts'
import { areaIcons } from './area-icons.ts'
import { areas } from './areas.ts'
import { useNewMovement } from './use-new-movement.ts'
import { useSignOut } from './use-sign-out.ts'

export interface Command {
  readonly name: string
  readonly label: string
  readonly icon: Icon
  readonly run: () => unknown
}

/** What the role may do from any page: go to an area, and begin something. */
export function useCommands(session: Session): {
  readonly goTo: readonly Command[]
  readonly act: readonly Command[]
} {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { setColorScheme } = useMantineColorScheme()
  const goTo = areas
    .filter(({ permission }) => isPermitted(session, permission))
    .map(({ name, to }) => ({ name, label: t(`areas.${name}`), icon: areaIcons[name], run: () => navigate({ to }) }))
  const begin = useNewMovement()
  const act = [
    { name: 'newMovement', permission: 'includeMembersOfCompany', icon: IconFilePlus, run: begin },
    {
      name: 'newMovementSheet',
      permission: 'includeMembersOfCompany',
      icon: IconTable,
      run: () => navigate({ to: '/movements/new/spreadsheet' }),
    },
    {
      name: 'mine',
      permission: 'moveEnrollment',
      icon: IconUserCheck,
      run: () => navigate({ to: '/queue', search: { assignee: 'me' } }),
    },
    {
      name: 'newCompany',
      permission: 'putCompany',
      icon: IconBuildingPlus,
      run: () => navigate({ to: '/companies/new' }),
    },
    {
      name: 'newContract',
      permission: 'createContract',
      icon: IconFilePlus,
      run: () => navigate({ to: '/carriers/contracts/new' }),
    },
    {
      name: 'newLayout',
      permission: 'createLayout',
      icon: IconLayoutGridAdd,
      run: () => navigate({ to: '/carriers/layouts/new' }),
    },
    { name: 'account', permission: 'readAccount', icon: IconUserCircle, run: () => navigate({ to: '/account' }) },
    { name: 'light', permission: 'readSession', icon: IconSun, run: () => setColorScheme('light') },
    { name: 'dark', permission: 'readSession', icon: IconMoon, run: () => setColorScheme('dark') },
    { name: 'signOut', permission: 'endSession', icon: IconLogout, run: () => signOut.mutate() },
  ] as const
  return {
    goTo,
    act: act
      .filter(({ permission }) => isPermitted(session, permission))
      .map(({ name, icon, run }) => ({ name, icon, run, label: t(`commands.${name}`) })),
  }
}
