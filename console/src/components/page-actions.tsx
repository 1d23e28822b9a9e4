import { Box, Button, Group, Paper, Stack } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import IconDots from 'icon:dots'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from './use-is-narrow.ts'

/** The actions of a page: buttons, and on narrow screens one menu of them, where there is more than one. */
export function PageActions({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('states')
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  const actions = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useClickOutside<HTMLDivElement>(() => setOpen(false))
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
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return
    setOpen(false)
    button.current?.focus()
  }
  return (
    // At the end also where the title leaves no room beside it: the list is inside of the window.
    <Box pos="relative" ms="auto" className="no-print" ref={menu}>
      <Button
        ref={button}
        className="page-actions"
        variant="default"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onKeyDown}
        leftSection={<IconDots size={16} aria-hidden />}
      >
        {t('pageActions')}
      </Button>
      {/* Hidden, not removed: the dialogs that its buttons have opened belong to them. */}
      <Paper
        className="page-actions-list"
        withBorder
        shadow="md"
        p="sm"
        hidden={!isOpen}
        role="group"
        aria-label={t('pageActions')}
        onKeyDown={onKeyDown}
      >
        <Stack gap="xs" ref={actions}>
          {children}
        </Stack>
      </Paper>
    </Box>
  )
}
