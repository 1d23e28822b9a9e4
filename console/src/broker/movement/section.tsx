import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A titled part of the page. */
export function Section({
  title,
  children,
  className = '',
}: {
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
}) {
  const id = useId()
  return (
    <section className={`movement-section ${className}`} aria-labelledby={id}>
      <Title order={2} size="h5" mb={6} id={id}>
        {title}
      </Title>
      {children}
    </section>
  )
}
