import { Title, type TitleProps } from '@mantine/core'

/** The title of a part of a page. */
export const SectionTitle = (props: Omit<TitleProps, 'order' | 'size'>) => (
  <Title order={2} size="h4" mb="xs" {...props} />
)
