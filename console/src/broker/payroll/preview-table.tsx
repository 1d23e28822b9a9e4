import { useTranslation } from 'react-i18next'
import { formatMonth } from '../../format/month.ts'
import { column, money, text } from '../../lists/columns.tsx'
import { listTable } from '../../lists/list-page.tsx'

const Table = listTable('previewPayroll')

/** The lines that an export would have. @param props.query the company and the month. */
export function PreviewTable({ query }: { readonly query: object }) {
  const { t } = useTranslation('payroll')
  return (
    <div>
      <Table
        label={t('preview')}
        query={query}
        isDense
        unit="lines"
        maxHeight="32vh"
        columns={[
          text(t('employee'), 'name', 'minmax(9.5rem, 1fr)'),
          text(t('employeeId'), 'employee-id', '5.5rem'),
          column(t('kind'), '7.25rem', ({ kind }) => t(`kindOf.${kind}`)),
          text(t('originMonth'), (line) => formatMonth(line['origin-month']), '6.75rem'),
          text(t('event'), 'event', '4.5rem'),
          money(t('lineAmount'), 'amount', '6.25rem'),
          column(t('destination'), '5.75rem', ({ destination }) => t(`destinationOf.${destination}`)),
        ]}
        idOf={(line) => `${line['member-id']} ${line.kind} ${line['product-type']} ${line['origin-month']}`}
      />
    </div>
  )
}
