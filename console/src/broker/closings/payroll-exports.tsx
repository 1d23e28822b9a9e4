import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePagedList } from '../../api/use-paged-list.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { MoneyValue, NumberValue, TimestampValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Month } from './closing.ts'
import { ExportDialog } from './export-dialog.tsx'
import { layoutName } from '../layouts/built-in-words.ts'

type Export = Item<'listPayrollExports'>

const columnsOf = (t: TFunction<'closings'>, mayDownload: boolean): readonly Column<Export>[] => [
  { id: 'number', header: t('payroll.number'), width: '5rem', cell: ({ number }) => <NumberValue value={number} /> },
  {
    id: 'made',
    header: t('payroll.madeAt'),
    width: 'minmax(10rem, 1fr)',
    cell: (one) => <TimestampValue value={one['created-at']} />,
  },
  {
    id: 'employees',
    header: t('payroll.employees'),
    width: '8rem',
    isNumeric: true,
    cell: ({ employees }) => <NumberValue value={employees} />,
  },
  {
    id: 'amount',
    header: t('payroll.amount'),
    width: '9rem',
    isNumeric: true,
    cell: ({ amount }) => <MoneyValue value={amount} />,
  },
  {
    id: 'layout',
    header: t('payroll.layout'),
    width: 'minmax(9rem, 1fr)',
    cell: (one) => <Value>{layoutName({ 'layout-id': one['layout-id'], name: one['layout-id'] })}</Value>,
  },
  ...(mayDownload
    ? [
        {
          id: 'file',
          header: t('payroll.file'),
          width: '7rem',
          cell: (one: Export) => (
            <Anchor
              size="sm"
              href={`/operator/v1/payroll-export/${one['payroll-export-id']}/file`}
              download
              aria-label={t('payroll.downloadOf', { number: one.number })}
            >
              {t('payroll.download')}
            </Anchor>
          ),
        },
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
  const [isAsking, setAsking] = useState(false)
  const isOpen = month.status === 'open'
  const list = usePagedList('listPayrollExports', {
    'company-tax-id': month['company-tax-id'],
    'reference-month': month['reference-month'],
  })
  return (
    <>
      <Group mt="lg" mb="xs" justify="space-between">
        <Title order={2} size="h4">
          {t('payroll.title')}
        </Title>
        {mayExport && !isOpen && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('payroll.export')}
          </Button>
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
      {isAsking && <ExportDialog month={month} onClose={() => setAsking(false)} />}
    </>
  )
}
