import { Button, Group, Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CAN_BE_DELETED, STEP_STATUSES } from '../../../../src/kernel/steps.ts'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Badge } from '../../components/badge.tsx'
import { Value } from '../../components/value.tsx'
import { column, number, side, text, timestamp } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { listPage } from '../../lists/list-page.tsx'
import { ChoiceFilter } from '../../lists/filters.tsx'

const List = listPage('listFailedSteps')

type Step = Item<'listFailedSteps'>
type Chosen = { readonly act: 'retry' | 'remove'; readonly step: Step }

/** What the workers could not do, with its reason. */
export function FailedStepsPage() {
  const { t } = useTranslation('failedSteps')
  const mayAct = usePermission('retryFailedStep')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  return (
    <List
      title={t('title')}
      options={{ refetchInterval: 5_000 }}
      filters={
        <>
          <Text size="sm" mb="md">
            {t('explanation')}
          </Text>
          <Group align="flex-end" mb="md" role="search" aria-label={t('status')}>
            <ChoiceFilter
              name="status"
              label={t('status')}
              any={t('any')}
              data={STEP_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            />
          </Group>
        </>
      }
      columns={[
        text(t('kind'), ({ kind }) => t(`kinds.${kind}`), 'minmax(10.5rem, 1fr)'),
        text(t('company'), (step) => step['company-name'] ?? '—', 'minmax(7rem, 1fr)'),
        side(t('status'), '7.5rem', ({ status }) => (
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
        mayAct &&
          side(t('acts'), '15rem', (step) => (
            <Group gap={6} wrap="nowrap">
              <Button size="compact-sm" variant="default" onClick={() => setChosen({ act: 'retry', step })}>
                {t('retry')}
              </Button>
              {CAN_BE_DELETED.includes(step.kind) && (
                <Button size="compact-sm" variant="default" onClick={() => setChosen({ act: 'remove', step })}>
                  {t('remove')}
                </Button>
              )}
            </Group>
          )),
      ]}
      idOf={(step) => step['step-id']}
      empty={t('none')}
    >
      {chosen !== null && <StepDialog {...chosen} onClose={() => setChosen(null)} />}
    </List>
  )
}

function StepDialog({ act, step, onClose }: Chosen & { readonly onClose: () => void }) {
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
