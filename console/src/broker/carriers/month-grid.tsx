import { Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { currentLanguage } from '../../language/language.ts'
import { weeksOf } from './weeks.ts'

type CutOff = Item<'listCutOffs'>

/** Contracts that a day names; the list has the others. */
const maxNames = 3

/** A month as a table of weeks, with the contracts whose cut-off is on each day. */
export function MonthGrid(props: {
  readonly month: string
  readonly today: string
  readonly cutOffs: readonly CutOff[]
}) {
  const { month, today, cutOffs } = props
  const { t } = useTranslation('carriers')
  const weeks = weeksOf(month)
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'short', timeZone: 'UTC' })
  return (
    <div className="month-grid" role="region" tabIndex={0} aria-label={t('calendarPage.title')}>
      <table>
        <thead>
          <tr translate="no">
            {weeks[1]?.map((day) => (
              <th key={day} scope="col">
                {weekday.format(new Date(`${day}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  data-outside={!day.startsWith(month)}
                  {...(day === today ? { 'aria-current': 'date' } : {})}
                >
                  {day.startsWith(month) && (
                    <>
                      <Value>{Number(day.slice(8))}</Value>
                      <DayCutOffs cutOffs={cutOffs.filter((one) => one['cut-off-date'] === day)} />
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function DayCutOffs({ cutOffs }: { readonly cutOffs: readonly CutOff[] }) {
  const { t } = useTranslation('carriers')
  if (cutOffs.length === 0) return null
  const more = cutOffs.length - maxNames
  return (
    <ul>
      {cutOffs.slice(0, maxNames).map((one) => (
        <li key={one['contract-id']}>
          <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }} size="xs">
            <span translate="no" title={`${one['carrier-name']} · ${one['company-name']}`}>
              {one['carrier-name']} {one['contract-number']}
            </span>
          </TextLink>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Text size="xs">{t('calendarPage.more', { count: more })}</Text>
        </li>
      )}
    </ul>
  )
}
