import { Timeline as MantineTimeline, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DateValue, TimestampValue } from './value.tsx'

export interface TimelineEntry {
  readonly key: string
  readonly title: ReactNode
  /** An instant, or a day. */
  readonly at: string
  /** Who did it, and why. */
  readonly details?: ReactNode
}

/** What happened, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <MantineTimeline active={entries.length - 1} bulletSize={14} lineWidth={2}>
      {entries.map(({ key, title, at, details }) => (
        <MantineTimeline.Item key={key} title={title}>
          <Text size="sm" c="dimmed">
            {at.length === '2026-11-22'.length ? <DateValue value={at} /> : <TimestampValue value={at} />}
          </Text>
          {details}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  )
}
