import { Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { addMonths } from '../../../../src/registry/rules/cut-off.ts'
import { api } from '../../api/client.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { businessDate } from '../../format/date.ts'

type CutOff = Item<'listCutOffs'>

/** A contract that closes today or tomorrow, and how many of its movements are not with the carrier yet. */
interface Due extends CutOff {
  readonly created: number
  readonly processing: number
}

const maxContracts = 12

const filterOf = (one: CutOff) => ({ 'company-tax-id': one['company-tax-id'], 'carrier-name': one['carrier-name'] })

/** The contracts that close today or tomorrow, the earliest first. */
async function dueCutOffs(today: string, signal: AbortSignal): Promise<readonly Due[]> {
  const tomorrow = addDays(today, 1)
  const month = today.slice(0, 7)
  const query = { from: addMonths(month, -2), until: addMonths(month, 2), 'items-per-page': 500 }
  const found: CutOff[] = []
  for await (const one of api.contracts.cutOffs(query, { signal })) {
    if (one['cut-off-date'] === today || one['cut-off-date'] === tomorrow) found.push(one)
  }
  return Promise.all(
    found.slice(0, maxContracts).map(async (one) => {
      const counts = await api.enrollments.counts(filterOf(one), { signal })
      const countOf = (status: string) => counts.find((counted) => counted.status === status)?.count ?? 0
      return { ...one, created: countOf('created'), processing: countOf('broker-processing') }
    }),
  )
}

/** What is due by contract: beside what is assigned to an analyst. Nothing where no contract closes. */
export default function DueCutOffs() {
  const { t } = useTranslation('queue')
  const today = businessDate()
  const { data = [] } = useQuery({
    queryKey: ['listCutOffs', 'due', today],
    queryFn: ({ signal }) => dueCutOffs(today, signal),
    staleTime: 60_000,
  })
  if (data.length === 0) return null
  const link = (count: number, search: QueueSearch) => (
    <TextLink to="/queue" search={search} {...(count === 0 ? { c: 'dimmed' } : {})}>
      <NumberValue value={count} />
    </TextLink>
  )
  return (
    <Paper withBorder p="xs" mb="xs" component="section" aria-label={t('mine.cutOffs')}>
      <Text component="h2" size="sm" fw={600} mb={4}>
        {t('mine.cutOffs')}
      </Text>
      <PlainTable<Due>
        label={t('mine.cutOffs')}
        verticalSpacing={2}
        items={data}
        idOf={(one) => `${one['contract-id']} ${one['cut-off-date']}`}
        columns={[
          rowHeader(t('mine.company'), (one) => <Value>{one['company-name']}</Value>, { fw: 600 }),
          plain(t('mine.contract'), (one) => (
            <TextLink to="/carriers/contracts/$contractId" params={{ contractId: one['contract-id'] }}>
              <Value>{`${one['carrier-name']} · ${contractNumber(one)}`}</Value>
            </TextLink>
          )),
          plain(t('mine.cutOff'), (one) => t(one['cut-off-date'] === today ? 'mine.today' : 'mine.tomorrow')),
          plain(t('status.created'), (one) => link(one.created, { ...filterOf(one), status: 'created' })),
          plain(t('status.broker-processing'), (one) =>
            link(one.processing, { ...filterOf(one), status: 'broker-processing' }),
          ),
        ]}
      />
    </Paper>
  )
}
