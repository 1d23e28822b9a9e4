import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { TextValue } from '../../components/value.tsx'
import { formatDuration } from '../../format/date.ts'
import type { Statistics } from './statistics.ts'
import { PlainTable, plain, rowHeader, numeric } from '../../components/plain-table.tsx'
import { number } from '../../lists/columns.tsx'

type Row = Statistics['time-to-resolve'][number]

const outcomes = ['completed', 'rejected'] as const

const durationOf = (seconds: number | null) => (seconds === null ? null : formatDuration(seconds))

/** From the creation of a movement to its completion or rejection, by type. The queue has a list for each of the two. */
export function TimeToResolve({ statistics }: { readonly statistics: Statistics }) {
  const { t } = useTranslation(['overview', 'terms'])
  const range = { 'resolved-from-dt': statistics['from-date'], 'resolved-until-dt': statistics['until-date'] }
  return (
    <div>
      <Text component="h3" fw={600} mb="xs">
        {t('timeToResolve')}
      </Text>
      <PlainTable<Row>
        label={t('timeToResolve')}
        className="times"
        items={statistics['time-to-resolve']}
        idOf={(row) => row['enrollment-type']}
        columns={[
          rowHeader(t('type'), (row) => t(`terms:type.${row['enrollment-type']}`), {}),
          ...(['median', 'p90'] as const).map((name) =>
            numeric<Row>(t(name), (row) => <TextValue value={durationOf(row[`${name}-seconds`])} />),
          ),
          number(t('resolvedCount'), 'count'),
          plain(t('lists'), (row) =>
            outcomes.map((status) => (
              <TextLink
                to="/queue"
                search={{ status, 'enrollment-type': row['enrollment-type'], ...range }}
                key={status}
              >
                {t(`outcomes.${status}`)}
              </TextLink>
            )),
          ),
        ]}
      />
    </div>
  )
}
