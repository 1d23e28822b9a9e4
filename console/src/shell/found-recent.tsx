import { Spotlight } from '@mantine/spotlight'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { areaIcons } from './area-icons.ts'
import type { RecentPage } from './recent-pages.ts'

/** The pages that were opened last, as the first choices. */
export function FoundRecent({ pages: shown }: { readonly pages: readonly RecentPage[] }) {
  const { t } = useTranslation('shell')
  const router = useRouter()
  if (shown.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={t('commands.recent')}>
      {shown.map(({ path, search, title, area }) => {
        const Icon = areaIcons[area]
        const name = t(`areas.${area}`)
        return (
          <Spotlight.Action
            key={path}
            translate="no"
            label={title}
            {...(title === name ? {} : { description: name })}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
            onClick={() => void router.navigate({ to: path, search: search as never })}
          />
        )
      })}
    </Spotlight.ActionsGroup>
  )
}
