import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Item } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { saveFile } from '../../components/save-file.ts'
import { toCsv } from '../../format/csv.ts'
import { formatDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'

const route = getRouteApi('/shell/invoices')
const itemsPerPage = 100

/** Cents as a spreadsheet in Brazil reads a number. */
function reais(cents: number): string {
  return `${Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`
}

/** Saves all invoices of the filter as CSV. */
export function ExportButton() {
  const search = route.useSearch()
  const { t } = useTranslation(['invoices', 'terms', 'states'])
  const [count, setCount] = useState(0)
  const rowOf = (invoice: Item<'listAllInvoices'>) => [
    invoice.id,
    invoice['company-name'],
    invoice['carrier-name'],
    reais(invoice.amount),
    formatDate(invoice['due-date']),
    formatDate(invoice['reference-period-start']),
    formatDate(invoice['reference-period-end']),
    t(`terms:invoiceStatus.${invoice['invoice-status']}`),
    invoice.files.length,
  ]
  const exporting = useMutation({
    mutationFn: async () => {
      setCount(0)
      const rows: ReturnType<typeof rowOf>[] = []
      const query = { ...search, 'items-per-page': itemsPerPage }
      for await (const invoice of api.invoices.list(query)) {
        rows.push(rowOf(invoice))
        if (rows.length % itemsPerPage === 0) setCount(rows.length)
      }
      return rows
    },
    onSuccess: (rows) => {
      const header = [
        t('id'),
        t('company'),
        t('carrier'),
        t('amountReais'),
        t('dueDate'),
        t('periodStart'),
        t('periodEnd'),
        t('status'),
        t('files'),
      ]
      saveFile(`${t('fileNameOfExport')}.csv`, toCsv(header, rows), 'text/csv;charset=utf-8')
      notifyDone(t('exported', { count: rows.length, formatted: formatNumber(rows.length) }))
    },
  })
  return (
    <>
      {exporting.error !== null && <ErrorMessage error={exporting.error} />}
      <span role="status" className={exporting.isPending ? '' : 'visually-hidden'}>
        {exporting.isPending ? t('states:exporting', { count, formatted: formatNumber(count) }) : ''}
      </span>
      <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        {t('states:export')}
      </Button>
    </>
  )
}
