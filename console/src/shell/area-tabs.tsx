import { Link, useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NumberValue } from '../components/value.tsx'
import { useSession } from '../session/session.ts'
import { areaOf, entryOf } from './areas.ts'
import { useWorkCounts } from './use-work-counts.ts'

/** Above the list of an area: the other areas of its entry of the navigation. */
export function AreaTabs() {
  const { t } = useTranslation('shell')
  const session = useSession()
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const counts = useWorkCounts()
  const area = areaOf(route)
  if (session === null || area === undefined || route !== area.to) return null
  const tabs = entryOf(session, area) ?? []
  if (tabs.length < 2) return null
  return (
    <nav className="area-tabs no-print" aria-label={t('areaTabs')}>
      {tabs.map(({ name, to }) => {
        const count = counts[name] ?? 0
        return (
          <Link key={to} to={to} {...(name === area.name ? { 'aria-current': 'page' } : {})}>
            {t(`areas.${name}`)}
            {count > 0 && (
              <span className="nav-count">
                <NumberValue value={count} />
              </span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}
