import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/state-view.tsx'
import { FinalBalanceView, LeaverFields } from './final-balance.tsx'
import { balanceQuery, lacksLastDay, type LeaverValues } from './leaver.ts'

const delayMilliseconds = 300

/** What an employee who leaves still owes, by what is written of the person. @param props.of whose, and by which API. */
export function LeaverBalance(props: {
  readonly of: Parameters<typeof balanceQuery>[0]
  readonly values: LeaverValues
  readonly onChange: (values: LeaverValues) => void
}) {
  const { of, values, onChange } = props
  const { t } = useTranslation('payroll')
  const [asked] = useDebouncedValue(values, delayMilliseconds)
  const query = useQuery({ ...balanceQuery(of, asked), placeholderData: keepPreviousData })
  const needsLastDay = values['end-date'] !== null || lacksLastDay(query.error)
  return (
    <Stack gap="sm">
      {needsLastDay && <Text size="sm">{t('leaving.noExclusion')}</Text>}
      <LeaverFields values={values} needsLastDay={needsLastDay} onChange={onChange} />
      {!lacksLastDay(query.error) && (
        <QueryView query={query}>{({ result }) => <FinalBalanceView balance={result} />}</QueryView>
      )}
    </Stack>
  )
}
