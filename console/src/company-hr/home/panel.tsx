import { Group, List, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SectionTitle } from '../../components/section-title.tsx'

/** A part of the home page. @param props.more leads to its list. */
export function Panel(props: { readonly title: string; readonly more?: ReactNode; readonly children: ReactNode }) {
  const { title, more, children } = props
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs" mb="xs" align="baseline">
        <SectionTitle mb={0}>{title}</SectionTitle>
        {more}
      </Group>
      {children}
    </Paper>
  )
}

interface Line {
  readonly key: string
  readonly link: ReactNode
  /** Under the link. */
  readonly details?: ReactNode
  /** At the end. */
  readonly end?: ReactNode
}

/** A few lines of a list. @param props.empty what is said instead of none. */
export function Lines({ lines, empty }: { readonly lines: readonly Line[]; readonly empty: string }) {
  if (lines.length === 0) return <Text size="sm">{empty}</Text>
  return (
    <List
      listStyleType="none"
      withPadding={false}
      spacing={6}
      styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
    >
      {lines.map(({ key, link, details, end }) => (
        <List.Item key={key}>
          <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
            <div style={{ flex: '1 0 40%', minWidth: 0, overflowWrap: 'anywhere' }}>
              {link}
              {details !== undefined && (
                <Text size="sm" c="dimmed" component="div">
                  {details}
                </Text>
              )}
            </div>
            <Text size="sm" ta="end" component="div">
              {end}
            </Text>
          </Group>
        </List.Item>
      ))}
    </List>
  )
}
