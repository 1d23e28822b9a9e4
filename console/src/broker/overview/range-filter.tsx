import { Group, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { daysOf, lastDays, type OverviewSearch, overviewSearchOf, rangeDays } from './search.ts'

const route = getRouteApi('/shell/overview')

/** The range of the figures, in the address. */
export function RangeFilter({ search }: { readonly search: OverviewSearch }) {
  const { t } = useTranslation(['overview', 'states'])
  const navigate = route.useNavigate()
  const show = (raw: Readonly<Record<string, unknown>>) => void navigate({ search: overviewSearchOf(raw) })
  const days = daysOf(search)
  const { 'from-dt': from, 'until-dt': until } = search
  return (
    <Group align="flex-end" gap="sm">
      {from !== undefined && until !== undefined && (
        <>
          <DateField
            label={t('from')}
            value={from}
            onChange={(day) => day !== null && show({ ...search, 'from-dt': day })}
          />
          <DateField
            label={t('until')}
            value={until}
            onChange={(day) => day !== null && show({ ...search, 'until-dt': day })}
          />
        </>
      )}
      <NativeSelect
        label={t('range')}
        value={String(days ?? 'days')}
        onChange={({ currentTarget: { value } }) =>
          show(value === 'days' ? lastDays(days ?? 30) : { days: Number(value) })
        }
        data={[
          ...rangeDays.map((value) => ({ value: String(value), label: t('lastDays', { count: value }) })),
          { value: 'days', label: t('otherRange') },
        ]}
      />
    </Group>
  )
}
