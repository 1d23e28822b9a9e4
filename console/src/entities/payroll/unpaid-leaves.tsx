import { Group, List, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { RequestBody, ResponseBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DateField } from '../../components/date-field.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'

type Leave = ResponseBody<'listUnpaidLeaves'>['result'][number]

/** The acts, where the person may write. */
interface LeaveActs {
  readonly put: (body: RequestBody<'putUnpaidLeave'>) => Promise<unknown>
  readonly remove: (firstDay: string) => Promise<unknown>
}

/** When an employee is on leave without pay. */
export function UnpaidLeaves(props: {
  readonly query: UseQueryResult<ResponseBody<'listUnpaidLeaves'>>
  readonly acts: LeaveActs | null
}) {
  const { query, acts } = props
  const { t } = useTranslation('payroll')
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SectionTitle mb={0}>{t('leave.title')}</SectionTitle>
        {acts !== null && (
          <DialogButton
            variant="default"
            size="xs"
            dialog={(close) => <LeaveDialog leave={null} put={acts.put} onClose={close} />}
          >
            {t('leave.add')}
          </DialogButton>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t('leave.meaning')}
      </Text>
      <QueryView query={query}>
        {({ result }) => (
          <>
            {result.length === 0 && <Text size="sm">{t('leave.none')}</Text>}
            <List size="sm" listStyleType="none" spacing="xs">
              {result.map((leave) => (
                <List.Item key={leave['first-day']}>
                  <Group gap="sm">
                    <PeriodText leave={leave} />
                    {acts !== null && <LeaveActions leave={leave} acts={acts} />}
                  </Group>
                </List.Item>
              ))}
            </List>
          </>
        )}
      </QueryView>
    </section>
  )
}

function PeriodText({ leave }: { readonly leave: Leave }) {
  const { t } = useTranslation('payroll')
  const [first, last] = [formatDate(leave['first-day']), leave['last-day']]
  if (last === null) return <Text size="sm">{t('leave.since', { first })}</Text>
  return <Value>{t('leave.until', { first, last: formatDate(last) })}</Value>
}

function LeaveActions({ leave, acts }: { readonly leave: Leave; readonly acts: LeaveActs }) {
  const { t } = useTranslation('payroll')
  const first = formatDate(leave['first-day'])
  return (
    <>
      <DialogButton
        variant="default"
        size="compact-xs"
        aria-label={t('leave.changeOne', { first })}
        dialog={(close) => <LeaveDialog leave={leave} put={acts.put} onClose={close} />}
      >
        {t('leave.change')}
      </DialogButton>
      <DialogButton
        variant="default"
        size="compact-xs"
        aria-label={t('leave.removeOne', { first })}
        dialog={(close) => (
          <ActDialog
            title={t('leave.removeTitle')}
            action={t('leave.remove')}
            isDestructive
            act={() => acts.remove(leave['first-day'])}
            done={t('leave.removed')}
            onClose={close}
          >
            <PeriodText leave={leave} />
            <Text size="sm">{t('leave.removeText')}</Text>
          </ActDialog>
        )}
      >
        {t('leave.remove')}
      </DialogButton>
    </>
  )
}

/** Sets a leave. @param props.leave the one whose last day is set; null for a new one. */
function LeaveDialog(props: {
  readonly leave: Leave | null
  readonly put: LeaveActs['put']
  readonly onClose: () => void
}) {
  const { leave, put, onClose } = props
  const { t } = useTranslation(['payroll', 'states'])
  const [first, setFirst] = useState(leave?.['first-day'] ?? null)
  const [last, setLast] = useState(leave?.['last-day'] ?? null)
  const [isChecked, setChecked] = useState(false)
  return (
    <ActDialog
      title={t(leave === null ? 'payroll:leave.addTitle' : 'payroll:leave.changeTitle')}
      action={t('payroll:leave.save')}
      check={() => {
        setChecked(true)
        return first !== null
      }}
      act={() => put({ 'first-day': first ?? '', 'last-day': last })}
      done={t('payroll:leave.saved')}
      onClose={onClose}
    >
      <Text size="sm">{t('payroll:leave.noReason')}</Text>
      {leave === null ? (
        <DateField
          label={t('payroll:leave.firstDay')}
          value={first}
          onChange={setFirst}
          required
          isFirst
          error={isChecked && first === null ? t('states:required') : undefined}
        />
      ) : (
        <Text size="sm">
          {t('payroll:leave.firstDay')}: <Value>{formatDate(leave['first-day'])}</Value>
        </Text>
      )}
      <DateField
        label={t('payroll:leave.lastDay')}
        description={t('payroll:leave.lastDayHelp')}
        value={last}
        onChange={setLast}
      />
    </ActDialog>
  )
}
