import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResponseBody } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { listOf } from '../../api/list-of.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { notifyDone } from '../../components/notify.ts'
import { ErasureMentions } from './erasure-mentions.tsx'
import { TimestampValue } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { column, text, date } from '../../lists/columns.tsx'
import { useSession } from '../../session/session.ts'
import type { SubjectRequest } from './subject-request.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { DialogButton } from '../../components/dialog.tsx'

type Plan = ResponseBody<'readErasurePlan'>['result']
type Item = Plan['items'][number]

const planMilliseconds = 5_000

const columnsOf = (t: TFunction<'erasure'>): readonly Column<Item>[] => [
  column(t('what'), 'minmax(14rem, 2fr)', (item) => t(`class.${item.class}`)),
  text(t('company'), 'company-name', 'minmax(10rem, 1fr)'),
  text(t('rows'), ({ rows }) => String(rows), '6rem'),
  column(t('action'), '7rem', ({ action }) => (
    <Badge color={action === 'erase' ? 'red' : 'gray'}>{t(`actions.${action}`)}</Badge>
  )),
  text(t('ground'), ({ ground }) => (ground === null ? null : t(`grounds.${ground}`)), 'minmax(12rem, 1fr)'),
  date(t('until'), 'until', '8rem'),
]

/** The plan of an erasure: made by one admin, approved by another. */
export function ErasurePlan({ request }: { readonly request: SubjectRequest }) {
  const { t } = useTranslation('erasure')
  const id = request['subject-request-id']
  const isOpen = request.status === 'open'
  // Its failure and what stayed change without anything that is done here.
  const plan = useOperation('readErasurePlan', { path: [id] }, { enabled: !isOpen, refetchInterval: planMilliseconds })
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: () => api.subjectRequests.makePlan(id),
    onSuccess: async () => {
      notifyDone(t('made'))
      await queryClient.invalidateQueries()
    },
  })
  const mayPlan = isOpen || request.status === 'planned'
  return (
    <>
      <Group mt="lg" mb="xs" justify="space-between">
        <SectionTitle mb={0}>{t('plan')}</SectionTitle>
        <Group gap="sm">
          {mayPlan && (
            <Button variant={isOpen ? 'filled' : 'default'} loading={make.isPending} onClick={() => make.mutate()}>
              {t(isOpen ? 'make' : 'makeAgain')}
            </Button>
          )}
          {request.status === 'planned' && plan.data !== undefined && <Approve id={id} plan={plan.data.result} />}
        </Group>
      </Group>
      {plan.data !== undefined && <Failure id={id} plan={plan.data.result} />}
      {plan.data !== undefined && <PlanItems plan={plan.data.result} />}
    </>
  )
}

const idOfItem = (item: Item) => `${item.class} ${item['company-tax-id'] ?? ''} ${item.ground ?? ''}`

/** `database-error 22P02`, `error ENOSPC`, `internal-error`. */
function reasonOf(t: TFunction<'erasure'>, reason: string): string {
  const code = reason.split(' ').at(-1)
  return t(reason.startsWith('database-error') ? 'reasons.database' : 'reasons.other', { code })
}

/** Why the last attempt failed, and when the next one is. */
function Failure({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const { t } = useTranslation('erasure')
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.subjectRequests.retry(id),
    onSuccess: async () => {
      notifyDone(t('retried'))
      await queryClient.invalidateQueries()
    },
  })
  const { failure } = plan
  if (failure === null) return null
  const next = failure['next-attempt-at']
  return (
    <Alert color="red" mb="md" title={t('failed')}>
      <Text size="sm">{t('failedText', { reason: reasonOf(t, failure.reason), attempts: failure.attempts })}</Text>
      <Text size="sm" component="div" mb="xs">
        {next === null ? (
          t('putAside')
        ) : (
          <>
            {t('nextAttempt')}: <TimestampValue value={next} />
          </>
        )}
      </Text>
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        {t('retry')}
      </Button>
    </Alert>
  )
}

function PlanItems({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('erasure')
  const nameOf = useOperatorNames()
  const names = { name: nameOf(plan['planned-by']), other: nameOf(plan['approved-by'] ?? '') }
  return (
    <>
      <Text size="sm" mb="xs">
        {t(plan['approved-by'] === null ? 'plannedBy' : 'approvedBy', names)}
      </Text>
      <DataTable
        label={t('plan')}
        unit="lines"
        columns={columnsOf(t)}
        list={listOf(plan.items)}
        idOf={idOfItem}
        maxHeight="40vh"
      />
      <ErasureMentions mentions={plan.mentions} />
      {plan.remaining.length > 0 && (
        <>
          <SectionTitle mt="lg">{t('remaining')}</SectionTitle>
          <DataTable
            label={t('remaining')}
            unit="lines"
            columns={columnsOf(t)}
            list={listOf(plan.remaining)}
            idOf={idOfItem}
            maxHeight="40vh"
          />
        </>
      )}
    </>
  )
}

function Approve({ id, plan }: { readonly id: string; readonly plan: Plan }) {
  const { t } = useTranslation('erasure')
  const session = useSession()
  if (session?.['client-id'] === plan['planned-by']) return <Text size="sm">{t('another')}</Text>
  return (
    <DialogButton
      color="red"
      dialog={(close) => (
        <ActDialog
          action={t('approve')}
          isDestructive
          act={() => api.subjectRequests.approve(id)}
          done={t('approved')}
          onClose={close}
        >
          <Text size="sm">{t('approveText')}</Text>
        </ActDialog>
      )}
    >
      {t('approve')}
    </DialogButton>
  )
}
