import { Switch, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { TextLink } from '../../components/link.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { Empty } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { businessDate } from '../../format/date.ts'
import { number } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { conditionWords } from './condition-words.ts'
import { EnforcementBadge } from './enforcement-badge.tsx'
import type { ListedRule } from './rule.ts'
import { valuesOf } from './rule-values.ts'
import { putRule } from './save-rule.ts'

/** The rules by carrier, one line each: first those of all carriers. */
export function RuleGroups({ rules, hasRules }: { readonly rules: readonly ListedRule[]; readonly hasRules: boolean }) {
  const { t } = useTranslation('requirements')
  if (rules.length === 0) return <Empty>{t(hasRules ? 'noneFound' : 'empty')}</Empty>
  const groups = Map.groupBy(rules, ({ when }) => when['carrier-names'].join(', '))
  return [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other, 'pt'))
    .map(([carriers, some]) => (
      <section key={carriers}>
        <SectionTitle mt="md">{carriers === '' ? t('allCarriers') : <Value>{carriers}</Value>}</SectionTitle>
        <RuleTable rules={some} label={carriers === '' ? t('allCarriers') : t('rulesOf', { carriers })} />
      </section>
    ))
}

function RuleTable({ rules, label }: { readonly rules: readonly ListedRule[]; readonly label: string }) {
  const { t } = useTranslation('requirements')
  return (
    <PlainTable<ListedRule>
      label={label}
      className="rules"
      miw="60rem"
      items={rules}
      idOf={(rule) => rule['rule-id']}
      columns={[
        plain(<span className="visually-hidden">{t('active')}</span>, (rule) => <RuleSwitch rule={rule} />),
        rowHeader(t('rule'), (rule) => <RuleName rule={rule} />),
        plain(t('when'), (rule) => <When rule={rule} />),
        plain(t('documents'), (rule) => <Documents rule={rule} />),
        plain(t('without'), ({ enforcement }) => <EnforcementBadge value={enforcement} />),
        number(t('movements'), 'movements-of-30-days'),
      ]}
    />
  )
}

/** Switches a rule on or off where it stands. */
function RuleSwitch({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation('requirements')
  const mayWrite = usePermission('putRequirementRule')
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (active: boolean) => putRule(rule['rule-id'], { ...valuesOf(rule), active }),
    onSettled: () =>
      Promise.all(
        ['listRequirementRules', 'readRequirementRule'].map((id) => queryClient.invalidateQueries({ queryKey: [id] })),
      ),
  })
  return (
    <>
      <Switch
        aria-label={t('isOn', { name: rule.name })}
        checked={save.isPending ? save.variables : rule.active}
        disabled={!mayWrite || save.isPending}
        onChange={({ currentTarget: { checked } }) => save.mutate(checked)}
      />
      {save.error !== null && <ErrorMessage error={save.error} />}
    </>
  )
}

function RuleName({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation('requirements')
  const mayWrite = usePermission('putRequirementRule')
  const name = (
    <span translate="no" title={rule.name}>
      {rule.name}
    </span>
  )
  const from = rule['valid-from']
  return (
    <>
      {mayWrite ? (
        <TextLink to="/requirements/$ruleId" params={{ ruleId: rule['rule-id'] }}>
          {name}
        </TextLink>
      ) : (
        name
      )}
      {!rule.active && (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('off')}
        </Text>
      )}
      {rule.active && from !== null && from > businessDate() && (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('from')} <DateValue value={from} />
        </Text>
      )}
    </>
  )
}

/** When the rule holds, in one line. */
function When({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation(['requirements', 'terms'])
  const words = conditionWords(t, rule.when)
  return <OneLine text={words.length === 0 ? t('requirements:always') : words.join(' · ')} />
}

/** The documents that the rule asks for, in one line. */
function Documents({ rule }: { readonly rule: ListedRule }) {
  const { t } = useTranslation(['requirements', 'terms'])
  const documents = rule.require.map((one) =>
    one['any-of'].map((type) => t(`terms:documentType.${type}`)).join(t('requirements:or')),
  )
  return <OneLine text={documents.join(' + ')} />
}

/** What does not fit is cut, and read on the pointer. */
const OneLine = ({ text }: { readonly text: string }) => <span title={text}>{text}</span>
