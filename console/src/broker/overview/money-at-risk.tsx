import { Group, Text } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Choice } from '../../components/choice.tsx'
import { TextLink } from '../../components/link.tsx'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, NumberValue, Value } from '../../components/value.tsx'
import { money } from '../../lists/columns.tsx'
import { QueueLink } from './queue-link.tsx'

type RiskGroup = Result<'listMoneyAtRisk'>[number]
const groups = ['contract', 'company', 'cut-off-date'] as const
type GroupBy = (typeof groups)[number]

/** What open movements cost if they miss the next cut-off, summed; nothing where no cost is known. */
export function MoneyAtRisk() {
  const { t } = useTranslation('atRisk')
  const [by, setBy] = useState<GroupBy>('contract')
  const groupsQuery = useOperation('listMoneyAtRisk', { query: { 'group-by': by } })
  if (groupsQuery.data?.result.length === 0) return null
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb="xs">
        <div>
          <Text component="h3" fw={600}>
            {t('title')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('meaning')}
          </Text>
        </div>
        <Choice
          label={t('groupBy')}
          value={by}
          onChange={(value = 'contract') => setBy(value)}
          data={groups.map((value) => ({ value, label: t(`group.${value}`) }))}
        />
      </Group>
      <QueryView query={groupsQuery}>
        {({ result }) => (
          <PlainTable<RiskGroup>
            label={t('title')}
            miw="46rem"
            items={result}
            idOf={({ key }) => key}
            columns={[
              rowHeader(t(`group.${by}`), (group) => <GroupName by={by} group={group} />),
              numeric(t('movements'), ({ count, key }) =>
                by === 'company' ? (
                  <QueueLink count={count} search={{ 'company-tax-id': key, sort: 'money-at-risk' }} />
                ) : (
                  <NumberValue value={count} />
                ),
              ),
              money(t('lostIfMissed'), 'lost-if-missed'),
              money(t('ifMissed'), 'if-missed'),
              money(t('lost'), 'lost'),
              money(t('chargedBeyondEnd'), 'charged-beyond-end'),
            ]}
          />
        )}
      </QueryView>
      <TextLink to="/queue" search={{ sort: 'money-at-risk' }} mt="xs" display="inline-block">
        {t('toQueue')}
      </TextLink>
    </div>
  )
}

function GroupName({ by, group: { key, name } }: { readonly by: GroupBy; readonly group: RiskGroup }) {
  if (by === 'cut-off-date') return <DateValue value={key} />
  return by === 'contract' ? (
    <TextLink to="/carriers/contracts/$contractId" params={{ contractId: key }}>
      <Value>{name}</Value>
    </TextLink>
  ) : (
    <TextLink to="/companies/$taxId" params={{ taxId: key }}>
      <Value>{name}</Value>
    </TextLink>
  )
}
