import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CAN_BE_DELETED, STEP_STATUSES } from '../../../../src/kernel/steps.ts'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Badge } from '../../components/badge.tsx'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Forbidden } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { text, column, number, timestamp } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'

const route = getRouteApi('/shell/failed-steps')

type Step = Item<'listFailedSteps'>
type Act = 'retry' | 'remove'
type Chosen = { readonly act: Act; readonly step: Step }

const columnsOf = (t: TFunction<'failedSteps'>): readonly Column<Step>[] => [
  text(t('kind'), ({ kind }) => t(`kinds.${kind}`), 'minmax(10.5rem, 1fr)'),
  text(t('company'), (step) => step['company-name'] ?? '—', 'minmax(7rem, 1fr)'),
  column(t('status'), '7.5rem', ({ status }) => (
    <Badge color={status === 'put-aside' ? 'red' : 'orange'}>{t(`statuses.${status}`)}</Badge>
  )),
  column(t('reason'), 'minmax(10.5rem, 2fr)', ({ reason, error }) => (
    <>
      {t(`reasons.${reason}`)}
      {error !== null && <Value> · {error}</Value>}
    </>
  )),
  number(t('attempts'), 'attempts', '5.75rem'),
  timestamp(t('failedAt'), 'failed-at', '8.5rem'),
]

const actColumn = (t: TFunction<'failedSteps'>, choose: (chosen: Chosen) => void): Column<Step> =>
  column(t('acts'), '15rem', (step) => (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => choose({ act: 'retry', step })}>
        {t('retry')}
      </Button>
      {CAN_BE_DELETED.includes(step.kind) && (
        <Button size="compact-sm" variant="default" onClick={() => choose({ act: 'remove', step })}>
          {t('remove')}
        </Button>
      )}
    </Group>
  ))

/** What the workers could not do, with its reason. */
export function FailedStepsPage() {
  const { t } = useTranslation('failedSteps')
  const mayRead = usePermission('listFailedSteps')
  return (
    <>
      <PageHeader title={t('title')} />
      {mayRead ? <Steps /> : <Forbidden />}
    </>
  )
}

function Steps() {
  const { t } = useTranslation('failedSteps')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayAct = usePermission('retryFailedStep')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const list = usePagedList('listFailedSteps', search, { refetchInterval: 5_000 })
  return (
    <>
      <Text size="sm" mb="md">
        {t('explanation')}
      </Text>
      <Group align="flex-end" mb="md" role="search" aria-label={t('status')}>
        <Choice
          label={t('status')}
          any={t('any')}
          value={search.status}
          data={STEP_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          onChange={(status) => {
            const one = STEP_STATUSES.find((known) => known === status)
            void navigate({ search: one === undefined ? {} : { status: one }, replace: true })
          }}
        />
      </Group>
      <DataTable
        label={t('title')}
        columns={mayAct ? [...columnsOf(t), actColumn(t, setChosen)] : columnsOf(t)}
        list={list}
        idOf={(step) => step['step-id']}
        empty={t('none')}
      />
      {chosen !== null && <StepDialog {...chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function StepDialog({ act, step, onClose }: { readonly act: Act; readonly step: Step; readonly onClose: () => void }) {
  const { t } = useTranslation('failedSteps')
  const id = step['step-id']
  return (
    <ActDialog
      action={t(act)}
      isDestructive={act === 'remove'}
      act={async () => {
        await (act === 'retry' ? api.failedSteps.retry(id) : api.failedSteps.remove(id))
      }}
      done={t(act === 'retry' ? 'retried' : 'removed')}
      onClose={onClose}
    >
      <Text size="sm">
        {t(act === 'retry' ? 'retryQuestion' : 'removeQuestion', { kind: t(`kinds.${step.kind}`) })}
      </Text>
    </ActDialog>
  )
}
