import { Button, Group, Popover, Stack } from '@mantine/core'
import IconDots from 'icon:dots'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from './use-is-narrow.ts'

/** The actions of a page: buttons, and on narrow screens one menu of them, where there is more than one. */
export function PageActions({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('states')
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const actions = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  // What the role may not do renders nothing: only the document knows how many there are.
  // oxlint-disable-next-line react/exhaustive-deps -- of each rendering
  useLayoutEffect(() => {
    if (actions.current !== null) setCount(actions.current.childElementCount)
  })
  if (!isNarrow || count < 2) {
    return (
      <Group className="no-print" gap="xs" ref={actions}>
        {children}
      </Group>
    )
  }
  return (
    // Mounted while it is closed: the dialogs that its buttons have opened belong to them. It is no dialog itself: keys of the page work beside it.
    <Popover
      position="bottom-end"
      keepMounted
      withinPortal={false}
      withRoles={false}
      opened={isOpen}
      onChange={setOpen}
    >
      <Popover.Target>
        <Button
          className="no-print page-actions"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          leftSection={<IconDots size={16} aria-hidden />}
        >
          {t('pageActions')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="group" aria-label={t('pageActions')}>
        <Stack gap="xs" ref={actions}>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
