import { Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import IconSearch from 'icon:search'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyFailed } from '../components/notify.ts'
import { useSession } from '../session/session.ts'
import { usePermission } from '../session/use-permission.ts'
import { useRecordedPages } from './recent-pages.ts'
import { scriptOfPage } from './script-of-page.ts'
import { useNewMovement } from './use-new-movement.ts'
import { usePageKeys } from './use-page-keys.ts'

const PageKeys = lazy(() => import('./page-keys.tsx'))

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the search of everything and the commands, also by Ctrl+K. They are loaded when they are first needed. */
export function CommandButton() {
  const { t } = useTranslation(['shell', 'states'])
  const [Menu, setMenu] = useState<ComponentType<{ readonly request: number }> | null>(null)
  const [request, setRequest] = useState(0)
  useRecordedPages(useSession()?.['client-id'])
  const load = () => scriptOfPage(import('./command-menu.tsx'))
  const open = async () => {
    // Leaving the page from under a dialog would lose what is in it.
    if (document.querySelector('[role="dialog"]') !== null) return
    try {
      const { CommandMenu } = await load()
      setMenu(() => CommandMenu)
      setRequest((former) => former + 1)
    } catch {
      notifyFailed(t('states:connection'))
    }
  }
  useHotkeys([['mod+K', () => void open()]], [], true)
  const [showsKeys, setShowsKeys] = useState(false)
  const begin = useNewMovement()
  const mayRequest = usePermission('includeMembersOfCompany')
  usePageKeys(
    () => void open(),
    () => setShowsKeys(true),
    mayRequest ? () => void begin() : null,
  )
  return (
    <>
      <Button
        variant="default"
        className="command-button"
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        rightSection={<Kbd translate="no">{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>}
        onClick={() => void open()}
        onMouseEnter={() => void load().catch(() => undefined)}
      >
        {t('shell:commands.open')}
      </Button>
      {Menu !== null && <Menu request={request} />}
      {showsKeys && (
        <Suspense>
          <PageKeys onClose={() => setShowsKeys(false)} />
        </Suspense>
      )}
    </>
  )
}
