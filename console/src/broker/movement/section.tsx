import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A titled part of the page. */
export function Section({
  title,
  children,
  action,
  className = '',
}: {
  readonly title: string
  /** What can be done with all of it. */
  readonly action?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}) {
  const id = useId()
  return (
    <section className={`movement-section ${className}`} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  )
}
