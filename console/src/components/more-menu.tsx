import { ActionIcon, Menu } from '@mantine/core'
import IconDots from 'icon:dots'
import { Children, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** What else can be done with the object of a page, beside its next action. @param props.children items of a menu. */
export function MoreMenu({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('states')
  const button = useRef<HTMLButtonElement>(null)
  if (Children.toArray(children).length === 0) return null
  return (
    // The focus is back before an item opens a dialog, which returns it to where it was.
    <Menu position="bottom-end" withinPortal={false} onClose={() => button.current?.focus({ preventScroll: true })}>
      <Menu.Target>
        <ActionIcon ref={button} variant="default" size={30} aria-label={t('moreActions')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
