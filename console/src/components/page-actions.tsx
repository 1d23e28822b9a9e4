import { Button, Group, Popover, Stack } from '@mantine/core'
import IconDots from 'icon:dots'
import { Children, Fragment, isValidElement, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from './use-is-narrow.ts'

/** What is in fragments stands beside the others. */
function flat(children: ReactNode): readonly ReactNode[] {
  return Children.toArray(children).flatMap((child) =>
    isValidElement<{ readonly children?: ReactNode }>(child) && child.type === Fragment
      ? flat(child.props.children)
      : [child],
  )
}

/** The actions of a page: buttons, and on narrow screens one menu of them, where there is more than one. */
export function PageActions({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('states')
  const [isOpen, setOpen] = useState(false)
  const actions = flat(children)
  const isMenu = useIsNarrow() && actions.length > 1
  if (!isMenu) {
    return (
      <Group className="no-print" gap="xs">
        {children}
      </Group>
    )
  }
  return (
    // Mounted while it is closed: the dialogs that its buttons have opened belong to them. It is no dialog itself: keys of the page work beside it.
    <Popover position="bottom-end" keepMounted withRoles={false} opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button
          className="no-print"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          leftSection={<IconDots size={16} aria-hidden />}
        >
          {t('pageActions')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="group" aria-label={t('pageActions')}>
        <Stack gap="xs" className="page-actions">
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
