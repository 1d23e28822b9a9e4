import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is that of a telephone: lists are cards, and the actions of a page are one menu. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 39.99em)', false, { getInitialValueInEffect: false })
