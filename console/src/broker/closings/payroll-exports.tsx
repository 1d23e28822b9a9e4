import { Anchor, Group, Text } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { NumberValue } from '../../components/value.tsx'
import { column, timestamp, number, money, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Month } from './closing.ts'
import { ExportDialog } from './export-dialog.tsx'
import { layoutName } from '../../entities/layouts/built-in-words.ts'
import { SectionTitle } from '../../components/section-title.tsx'
import { DialogButton } from '../../components/dialog.tsx'

type Export = Item<'listPayrollExports'>

const columnsOf = (t: TFunction<'closings'>, mayDownload: boolean): readonly Column<Export>[] => [
  column(t('payroll.number'), '5rem', ({ number }) => <NumberValue value={number} />),
  timestamp(t('payroll.madeAt'), 'created-at', 'minmax(10rem, 1fr)'),
  number(t('payroll.employees'), 'employees', '8rem'),
  money(t('payroll.amount'), 'amount', '9rem'),
  text(t('payroll.layout'), (one) => layoutName({ 'layout-id': one['layout-id'], name: one['layout-id'] })),
  ...(mayDownload
    ? [
        column(t('payroll.file'), '7rem', (one: Export) => (
          <Anchor
            size="sm"
            href={`/operator/v1/payroll-export/${one['payroll-export-id']}/file`}
            download
            aria-label={t('payroll.downloadOf', { number: one.number })}
          >
            {t('payroll.download')}
          </Anchor>
        )),
      ]
    : []),
]

/** What the payroll of the company deducts for a month: the files that were made, and a new one. */
export function PayrollExports({ month }: { readonly month: Month }) {
  const mayRead = usePermission('listPayrollExports')
  return mayRead && <Exports month={month} />
}

function Exports({ month }: { readonly month: Month }) {
  const { t } = useTranslation('closings')
  const mayDownload = usePermission('readPayrollExportFile')
  const mayExport = usePermission('createPayrollExport')
  const isOpen = month.status === 'open'
  const list = usePagedList('listPayrollExports', {
    'company-tax-id': month['company-tax-id'],
    'reference-month': month['reference-month'],
  })
  return (
    <>
      <Group mt="lg" mb="xs" justify="space-between">
        <SectionTitle mb={0}>{t('payroll.title')}</SectionTitle>
        {mayExport && !isOpen && (
          <DialogButton variant="default" dialog={(close) => <ExportDialog month={month} onClose={close} />}>
            {t('payroll.export')}
          </DialogButton>
        )}
      </Group>
      {list.total === 0 ? (
        <Text size="sm">{t(isOpen ? 'payroll.closeFirst' : 'payroll.none')}</Text>
      ) : (
        <DataTable
          label={t('payroll.title')}
          columns={columnsOf(t, mayDownload)}
          list={list}
          idOf={(one) => one['payroll-export-id']}
          maxHeight="40vh"
        />
      )}
    </>
  )
}
