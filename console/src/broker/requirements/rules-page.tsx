import './requirements.css'
import { Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Empty, QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { allRules } from './all-rules.ts'
import { conditionWords } from './condition-words.ts'
import { DocumentWords } from './document-words.tsx'
import { EnforcementBadge } from './enforcement-badge.tsx'
import { ExamplePack } from './example-pack.tsx'
import { isSameCarrier, type ListedRule } from './rule.ts'
import { Simulator } from './simulator.tsx'
import { PlainTable, plain, rowHeader, topAligned } from '../../components/plain-table.tsx'
import { number } from '../../lists/columns.tsx'

const route = getRouteApi('/shell/requirements')

/** The rules of required documents, and a simulator of what they ask for. */
export function RulesPage() {
  const { t } = useTranslation('requirements')
  const { carrier } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = usePermission('putRequirementRule')
  const carriers = useOperation('listCarriers')
  const rules = useQuery(allRules)
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && (
          <>
            <ExamplePack />
            <ButtonLink to="/requirements/new">{t('create')}</ButtonLink>
          </>
        )}
      </PageHeader>
      <Text size="sm" mb="md" maw="50rem">
        {t('intro')}
      </Text>
      <div className="rules-columns">
        <div>
          <Group mb="md">
            <Select
              label={t('carrier')}
              placeholder={t('anyCarrier')}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('clearCarrier') }}
              attributes={{ option: { translate: 'no' } }}
              value={carrier ?? null}
              onChange={(name) => void navigate({ search: name === null ? {} : { carrier: name }, replace: true })}
              data={[
                ...new Set([
                  ...(carriers.data?.result ?? []).map(({ name }) => name),
                  ...(carrier === undefined ? [] : [carrier]),
                ]),
              ]}
            />
          </Group>
          <QueryView query={rules}>
            {(all) => <RuleTable rules={all.filter((rule) => concerns(rule, carrier))} hasRules={all.length > 0} />}
          </QueryView>
        </div>
        <Simulator />
      </div>
    </>
  )
}

/** Whether a rule can hold for a carrier: one without carriers holds for all. */
function concerns({ when }: ListedRule, carrier: string | undefined): boolean {
  const names = when['carrier-names']
  return carrier === undefined || names.length === 0 || names.some((name) => isSameCarrier(name, carrier))
}

function RuleTable({ rules, hasRules }: { readonly rules: readonly ListedRule[]; readonly hasRules: boolean }) {
  const { t } = useTranslation('requirements')
  if (rules.length === 0) return <Empty>{t(hasRules ? 'noneFound' : 'empty')}</Empty>
  return (
    <PlainTable<ListedRule>
      label={t('rules')}
      miw="41rem"
      items={rules}
      idOf={(rule) => rule['rule-id']}
      rowOf={topAligned}
      columns={[
        rowHeader(t('rule'), (rule) => <RuleName rule={rule} />),
        plain(t('when'), ({ when }) => <When when={when} />),
        plain(t('documents'), (rule) =>
          rule.require.map((one) => (
            <Text key={one['any-of'].join()} size="sm">
              <DocumentWords types={one['any-of']} />
            </Text>
          )),
        ),
        plain(t('without'), ({ enforcement }) => <EnforcementBadge value={enforcement} />),
        number(t('movements'), 'movements-of-30-days'),
      ]}
    />
  )
}

function RuleName({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation('requirements')
  const mayWrite = usePermission('putRequirementRule')
  const name = <Value>{rule.name}</Value>
  const from = rule['valid-from']
  return (
    <>
      {mayWrite ? (
        <TextLink to="/requirements/$ruleId" params={{ ruleId: rule['rule-id'] }}>
          {name}
        </TextLink>
      ) : (
        name
      )}{' '}
      {!rule.active && <Badge color="gray">{t('off')}</Badge>}
      {rule.active && from !== null && from > saoPauloDay() && (
        <Text size="xs">
          {t('from')} <DateValue value={from} />
        </Text>
      )}
    </>
  )
}

function When({ when }: Pick<ListedRule, 'when'>) {
  const { t } = useTranslation(['requirements', 'terms'])
  const words = conditionWords(t, when)
  const carriers = when['carrier-names']
  return (
    <>
      {carriers.length > 0 && (
        <Text size="sm" fw={600}>
          <Value>{carriers.join(', ')}</Value>
        </Text>
      )}
      {words.length > 0 && <Text size="sm">{words.join(' · ')}</Text>}
      {words.length + carriers.length === 0 && t('requirements:always')}
    </>
  )
}
