import './requirements.css'
import { Box, Group, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Empty, QueryView } from '../../components/state-view.tsx'
import { DateValue, NumberValue, Value } from '../../components/value.tsx'
import { saoPauloDay } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { allRules } from './all-rules.ts'
import { conditionWords } from './condition-words.ts'
import { DocumentWords } from './document-words.tsx'
import { EnforcementBadge } from './enforcement-badge.tsx'
import { ExamplePack } from './example-pack.tsx'
import { isSameCarrier, type ListedRule } from './rule.ts'
import { Simulator } from './simulator.tsx'

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
    <Box className="plain-table" tabIndex={0} role="region" aria-label={t('rules')}>
      <Table fz="sm" verticalSpacing={6} miw="41rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('rule')}</Table.Th>
            <Table.Th scope="col">{t('when')}</Table.Th>
            <Table.Th scope="col">{t('documents')}</Table.Th>
            <Table.Th scope="col">{t('without')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('movements')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <RuleRow key={rule['rule-id']} rule={rule} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

function RuleRow({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation(['requirements', 'terms'])
  const mayWrite = usePermission('putRequirementRule')
  const words = conditionWords(t, rule.when)
  const carriers = rule.when['carrier-names']
  const from = rule['valid-from']
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row" fw={400}>
        {mayWrite ? (
          <TextLink to="/requirements/$ruleId" params={{ ruleId: rule['rule-id'] }}>
            <Value>{rule.name}</Value>
          </TextLink>
        ) : (
          <Value>{rule.name}</Value>
        )}{' '}
        {!rule.active && <Badge color="gray">{t('requirements:off')}</Badge>}
        {rule.active && from !== null && from > saoPauloDay() && (
          <Text size="xs">
            {t('requirements:from')} <DateValue value={from} />
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        {carriers.length > 0 && (
          <Text size="sm" fw={600}>
            <Value>{carriers.join(', ')}</Value>
          </Text>
        )}
        {words.length > 0 && <Text size="sm">{words.join(' · ')}</Text>}
        {words.length + carriers.length === 0 && t('requirements:always')}
      </Table.Td>
      <Table.Td>
        {rule.require.map((one) => (
          <Text key={one['any-of'].join()} size="sm">
            <DocumentWords types={one['any-of']} />
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <EnforcementBadge value={rule.enforcement} />
      </Table.Td>
      <Table.Td ta="end">
        <NumberValue value={rule['movements-of-30-days']} />
      </Table.Td>
    </Table.Tr>
  )
}
