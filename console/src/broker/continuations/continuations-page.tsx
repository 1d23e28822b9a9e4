import { Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CONTINUATION_STATUSES, ENDING_DAYS } from '../../../../src/coverage/rules/continuation.ts'
import { addDays } from '../../../../src/kernel/calendar.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { ContinuationStatusBadge } from '../../entities/continuations/status-badge.tsx'
import { Term } from '../../entities/continuations/term.tsx'
import { businessDate } from '../../format/date.ts'
import { column, date, due, side, text } from '../../lists/columns.tsx'
import { CompanyFilter, useFilters } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { Calculator } from './calculator.tsx'

const List = listPage('listAllContinuations')

/** The plans that families keep after a dismissal or a retirement, and a calculator. */
export function ContinuationsPage() {
  const { t } = useTranslation('continuations')
  const { search, change } = useFilters()
  const { within, ...filters } = search
  const optional = (label: string) => ({
    label,
    clearable: true,
    clearButtonProps: { 'aria-label': t('clear', { field: label }) },
    placeholder: t('any'),
  })
  return (
    <List
      title={t('title')}
      actions={<Calculator />}
      query={{
        ...filters,
        ...(within === undefined ? {} : { 'due-until': addDays(businessDate(), ENDING_DAYS) }),
      }}
      filters={
        <Group mb="md" align="flex-end">
          <Select
            {...optional(t('status'))}
            value={search.status ?? null}
            onChange={(status) => change({ status: status ?? undefined })}
            data={CONTINUATION_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          />
          <Select
            {...optional(t('dueDate'))}
            value={within ?? null}
            onChange={(value) => change({ within: value === null ? undefined : '60' })}
            data={[{ value: '60', label: t('soon') }]}
          />
          <CompanyFilter label={t('company')} />
        </Group>
      }
      columns={[
        column(t('member'), 'minmax(15rem, 2fr)', (one) => (
          <TextLink to="/continuations/$continuationId" params={{ continuationId: one['continuation-id'] }}>
            <Value>{one['member-name']}</Value>
          </TextLink>
        )),
        side(t('status'), '11rem', (one) => <ContinuationStatusBadge status={one.status} />),
        due(t('dueDate'), 'due-date'),
        column(t('ground'), '12rem', (one) => t(`grounds.${one.ground}`)),
        column(t('term'), '7rem', (one) => <Term months={one.months} withoutEnd={one['without-end']} />),
        date(t('termEnd'), 'term-end'),
        text(t('company'), 'company-name', 'minmax(12rem, 1fr)'),
        text(t('product'), 'product-name', '10rem'),
      ]}
      idOf={(one) => one['continuation-id']}
      empty={t('empty')}
    />
  )
}
