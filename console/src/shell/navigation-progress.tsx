import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** A bar over the page while another page, or what it shows at first, is loading. */
export function NavigationProgress() {
  const { t } = useTranslation('states')
  const isNavigating = useRouterState({ select: ({ isLoading }) => isLoading })
  const isReading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  if (!isNavigating && !isReading) return null
  return (
    <div
      className="navigation-progress"
      role="progressbar"
      aria-label={t('loading')}
      data-loading={isNavigating ? 'next-page' : 'this-page'}
    />
  )
}
