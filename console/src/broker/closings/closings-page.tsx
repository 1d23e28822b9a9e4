import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLOSING_STATUSES } from '../../../../src/kernel/operator-enums.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { saoPauloDay } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { money, column, text, timestamp } from '../../lists/columns.tsx'
import { CompanySelect } from '../invoices/company-select.tsx'
import { closedFigures, type Closing, sumOf } from './closing.ts'
import type { ClosingsSearch } from './search.ts'
import { ClosingStatusBadge } from './status-badges.tsx'

const route = getRouteApi('/shell/closings')

const columnsOf = (
  t: TFunction<['closings', 'terms']>,
  nameOf: (clientId: string) => string,
): readonly Column<Closing>[] => {
  const sum = (name: 'carrier-total' | 'expected-total' | 'discrepancy') => (closing: Closing) =>
    sumOf(closedFigures(closing) ?? [])[name]
  return [
    column(t('closings:month'), '7rem', (closing) => (
      <TextLink
        to="/closings/$taxId/$month"
        params={{ taxId: closing['company-tax-id'], month: closing['reference-month'] }}
      >
        <Value>{formatMonth(closing['reference-month'])}</Value>
      </TextLink>
    )),
    text(t('closings:company'), 'company-name', 'minmax(9rem, 2fr)'),
    column(t('closings:status'), '7rem', ({ status }) => <ClosingStatusBadge status={status} />),
    money(t('closings:charged'), sum('carrier-total')),
    money(t('closings:expected'), sum('expected-total')),
    money(t('closings:difference'), sum('discrepancy')),
    timestamp(t('closings:lastAct'), 'updated-at'),
    text(t('closings:by'), ({ acts }) => nameOf(acts.at(-1)?.by ?? ''), 'minmax(7rem, 1fr)'),
  ]
}

/** The months that were closed, and the way to the month of a company. */
export function ClosingsPage() {
  const { t } = useTranslation(['closings', 'terms', 'states'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = useOperatorNames()
  const list = usePagedList('listClosings', search)
  const [isChoosing, setChoosing] = useState(false)
  const month = search['reference-month']
  const change = (part: { readonly [Name in keyof ClosingsSearch]: ClosingsSearch[Name] | undefined }) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined)
    void navigate({ search: Object.fromEntries(next) as ClosingsSearch, replace: true })
  }
  return (
    <>
      <PageHeader title={t('closings:title')}>
        <Button onClick={() => setChoosing(true)}>{t('closings:check')}</Button>
      </PageHeader>
      <Group mb="md" align="flex-end" gap="sm" role="search" aria-label={t('states:filters')}>
        <CompanySelect
          label={t('closings:company')}
          value={search['company-tax-id'] ?? null}
          onChange={(taxId) => change({ 'company-tax-id': taxId ?? undefined })}
        />
        <SearchField
          label={t('closings:month')}
          placeholder={t('closings:monthPlaceholder')}
          value={month === undefined ? undefined : formatMonth(month)}
          errorOf={(text) => (parseMonth(text) === null ? t('closings:invalidMonth') : null)}
          onChange={(text) => change({ 'reference-month': parseMonth(text ?? '')?.start.slice(0, 7) })}
        />
        <Choice
          label={t('closings:status')}
          any={t('closings:any')}
          value={search.status}
          onChange={(status) => change({ status })}
          data={CLOSING_STATUSES.map((value) => ({ value, label: t(`terms:closingStatus.${value}`) }))}
        />
      </Group>
      <DataTable
        label={t('closings:title')}
        columns={columnsOf(t, nameOf)}
        list={list}
        idOf={(closing) => closing['closing-id']}
        empty={t('closings:empty')}
      />
      {isChoosing && <MonthDialog search={search} onClose={() => setChoosing(false)} />}
    </>
  )
}

/** Asks for the company and the month, and leads to them. */
function MonthDialog({ search, onClose }: { readonly search: ClosingsSearch; readonly onClose: () => void }) {
  const { t } = useTranslation(['closings', 'states'])
  const navigate = useNavigate()
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
