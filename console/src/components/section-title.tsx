import { Title, type TitleProps } from '@mantine/core'

/** The title of a part of a page. */
export const SectionTitle = (props: Omit<TitleProps, 'order' | 'size'>) => (
  <Title order={2} fz="0.9375rem" fw={600} mb="xs" {...props} />
)
