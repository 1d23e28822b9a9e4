import { TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CLOSING_STATUSES } from '../../../../src/kernel/broker-enums.ts'
import { TextLink } from '../../components/link.tsx'
import { Value } from '../../components/value.tsx'
import { useOperatorNames } from '../../entities/decisions/use-operator-names.ts'
import { businessDate } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { column, money, side, text, timestamp } from '../../lists/columns.tsx'
import { ChoiceFilter, CompanyFilter, Filters, MonthFilter } from '../../lists/filters.tsx'
import { listPage } from '../../lists/list-page.tsx'
import { closedFigures, type Closing, sumOf } from './closing.ts'
import { ClosingStatusBadge } from './status-badges.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { CompanyInput } from '../../forms/fields.tsx'
import { FormDialog, useFormDialog } from '../../forms/form-dialog.tsx'

const List = listPage('listClosings')
const route = getRouteApi('/shell/closings')

const sum = (name: 'carrier-total' | 'expected-total' | 'discrepancy') => (closing: Closing) =>
  sumOf(closedFigures(closing) ?? [])[name]

/** The months that were closed, and the way to the month of a company. */
export function ClosingsPage() {
  const { t } = useTranslation(['closings', 'terms'])
  const nameOf = useOperatorNames()
  return (
    <List
      title={t('closings:title')}
      actions={<DialogButton dialog={(close) => <MonthDialog onClose={close} />}>{t('closings:check')}</DialogButton>}
      filters={
        <Filters>
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
        </Filters>
      }
      columns={[
        column(t('closings:month'), '7rem', ({ 'company-tax-id': taxId, 'reference-month': month }) => (
          <TextLink to="/closings/$taxId/$month" params={{ taxId, month }}>
            <Value>{formatMonth(month)}</Value>
          </TextLink>
        )),
        text(t('closings:company'), 'company-name', 'minmax(9rem, 2fr)'),
        side(t('closings:status'), '7rem', ({ status }) => <ClosingStatusBadge status={status} />),
        money(t('closings:charged'), sum('carrier-total')),
        money(t('closings:expected'), sum('expected-total')),
        money(t('closings:difference'), sum('discrepancy')),
        timestamp(t('closings:lastAct'), 'updated-at'),
        text(t('closings:by'), ({ acts }) => nameOf(acts.at(-1)?.by ?? ''), 'minmax(7rem, 1fr)'),
      ]}
      idOf={(closing) => closing['closing-id']}
      empty={t('closings:empty')}
    />
  )
}

/** Asks for the company and the month, and leads to them. */
function MonthDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('closings')
  const navigate = useNavigate()
  const search = route.useSearch()
  const dialog = useFormDialog({
    initialValues: {
      company: search['company-tax-id'] ?? null,
      text: formatMonth(search['reference-month'] ?? businessDate()),
    },
    send: ({ company, text: written }) =>
      navigate({
        to: '/closings/$taxId/$month',
        params: { taxId: company ?? '', month: parseMonth(written)?.start.slice(0, 7) ?? '' },
      }),
    onSent: () => {},
    onClose,
  })
  const { form } = dialog
  const { company, text: written } = form.values
  const isInvalid = parseMonth(written) === null
  return (
    <FormDialog
      dialog={dialog}
      title={t('checkTitle')}
      action={t('checkAction')}
      isDisabled={company === null || isInvalid}
    >
      <CompanyInput form={form} name="company" label={t('company')} required />
      <TextInput
        label={t('month')}
        placeholder={t('monthPlaceholder')}
        size="sm"
        required
        {...form.getInputProps('text')}
        error={isInvalid && written !== '' ? t('invalidMonth') : undefined}
      />
    </FormDialog>
  )
}
