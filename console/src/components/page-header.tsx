import { Group, Text } from '@mantine/core'
import { type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { PageActions } from './page-actions.tsx'
import { PageHelp } from './page-help.ts'
import { usePageTitle } from './page-title.ts'

/**
 * The line above a list or an object: its title and actions. The tab of the browser has the same title.
 * @param props.name of the object, for the tab, where the title has only what it is.
 */
export function PageHeader(props: {
  readonly title: ReactNode
  readonly name?: string
  readonly children?: ReactNode
}) {
  const { title, name = '', children } = props
  const help = useContext(PageHelp)
  const heading = useRef<HTMLHeadingElement>(null)
  const [text, setText] = useState('')
  // oxlint-disable-next-line react/exhaustive-deps -- the title may be elements; an equal text renders nothing again
  useLayoutEffect(() => setText(heading.current?.textContent ?? ''))
  usePageTitle(name === '' ? text : `${text} ${name}`)
  return (
    <Group justify="space-between" mb="sm" align="center" gap="xs">
      <Group gap={4} wrap="nowrap">
        <Text component="h1" fz="1.25rem" fw={600} miw={0} tabIndex={-1} ref={heading}>
          {title}
        </Text>
        {help}
      </Group>
      <PageActions>{children}</PageActions>
    </Group>
  )
}
