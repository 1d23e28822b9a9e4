import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLOSING_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { CompanySelect } from '../../entities/companies/company-select.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { saoPauloDay } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { column, money, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, MonthFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { closedFigures, type Closing, sumOf } from './closing.ts'
import { ClosingStatusBadge } from './status-badges.tsx'

const List = listPage('listClosings')
const route = getRouteApi('/shell/closings')

const sum = (name: 'carrier-total' | 'expected-total' | 'discrepancy') => (closing: Closing) =>
  sumOf(closedFigures(closing) ?? [])[name]

/** The months that were closed, and the way to the month of a company. */
export function ClosingsPage() {
  const { t } = useTranslation(['closings', 'terms', 'states'])
  const nameOf = useOperatorNames()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <List
      title={t('closings:title')}
      actions={<Button onClick={() => setChoosing(true)}>{t('closings:check')}</Button>}
      filters={
        <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
          <CompanyFilter label={t('closings:company')} />
          <MonthFilter
            label={t('closings:month')}
            placeholder={t('closings:monthPlaceholder')}
            invalid={t('closings:invalidMonth')}
          />
          <ChoiceFilter
            name="status"
            label={t('closings:status')}
            any={t('closings:any')}
            data={CLOSING_STATUSES.map((value) => ({ value, label: t(`terms:closingStatus.${value}`) }))}
          />
        </Group>
      }
      columns={[
        column(t('closings:month'), '7rem', ({ 'company-tax-id': taxId, 'reference-month': month }) => (
          <TextLink to="/closings/$taxId/$month" params={{ taxId, month }}>
            <Value>{formatMonth(month)}</Value>
          </TextLink>
        )),
        text(t('closings:company'), 'company-name', 'minmax(9rem, 2fr)'),
        column(t('closings:status'), '7rem', ({ status }) => <ClosingStatusBadge status={status} />),
        money(t('closings:charged'), sum('carrier-total')),
        money(t('closings:expected'), sum('expected-total')),
        money(t('closings:difference'), sum('discrepancy')),
        timestamp(t('closings:lastAct'), 'updated-at'),
        text(t('closings:by'), ({ acts }) => nameOf(acts.at(-1)?.by ?? ''), 'minmax(7rem, 1fr)'),
      ]}
      idOf={(closing) => closing['closing-id']}
      empty={t('closings:empty')}
    >
      {isChoosing && <MonthDialog onClose={() => setChoosing(false)} />}
    </List>
  )
}

/** Asks for the company and the month, and leads to them. */
function MonthDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['closings', 'states'])
  const navigate = useNavigate()
  const search = route.useSearch()
  const [company, setCompany] = useState(search['company-tax-id'] ?? null)
  const [text, setText] = useState(formatMonth(search['reference-month'] ?? saoPauloDay()))
  const month = parseMonth(text)?.start.slice(0, 7)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('closings:checkTitle')}
      closeButtonProps={{ 'aria-label': t('states:close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (company === null || month === undefined) return
          void navigate({ to: '/closings/$taxId/$month', params: { taxId: company, month } })
        }}
      >
        <Stack gap="sm">
          <CompanySelect label={t('closings:company')} required value={company} onChange={setCompany} />
          <TextInput
            label={t('closings:month')}
            placeholder={t('closings:monthPlaceholder')}
            size="sm"
            required
            value={text}
            error={month === undefined && text !== '' ? t('closings:invalidMonth') : undefined}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('states:cancel')}
            </Button>
            <Button type="submit" disabled={company === null || month === undefined}>
              {t('closings:checkAction')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
