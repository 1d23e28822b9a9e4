import './requirements.css'
import { Button, Drawer, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { allRules } from './all-rules.ts'
import { ExamplePack } from './example-pack.tsx'
import { isSameCarrier, type ListedRule } from './rule.ts'
import { RuleGroups } from './rule-groups.tsx'
import { Simulator } from './simulator.tsx'

const route = getRouteApi('/shell/requirements')

/** The rules of required documents, and a simulator of what they ask for. */
export function RulesPage() {
  const { t } = useTranslation('requirements')
  const { t: tStates } = useTranslation('states')
  const [isSimulating, setSimulating] = useState(false)
  const { carrier } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = usePermission('putRequirementRule')
  const carriers = useOperation('listCarriers')
  const rules = useQuery(allRules)
  return (
    <>
      <PageHeader title={t('title')}>
        <Button variant="default" onClick={() => setSimulating(true)}>
          {t('simulator')}
        </Button>
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
        {(all) => <RuleGroups rules={all.filter((rule) => concerns(rule, carrier))} hasRules={all.length > 0} />}
      </QueryView>
      <Drawer
        opened={isSimulating}
        onClose={() => setSimulating(false)}
        position="right"
        title={t('simulator')}
        closeButtonProps={{ 'aria-label': tStates('close') }}
        attributes={{ header: { role: 'presentation' } }}
      >
        <Simulator />
      </Drawer>
    </>
  )
}

/** Whether a rule can hold for a carrier: one without carriers holds for all. */
function concerns({ when }: ListedRule, carrier: string | undefined): boolean {
  const names = when['carrier-names']
  return carrier === undefined || names.length === 0 || names.some((name) => isSameCarrier(name, carrier))
}
