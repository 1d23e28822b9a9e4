import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Invoice, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { productNameKey } from '../../../../src/kernel/product-name.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Loading } from '../../components/state-view.tsx'
import { MoneyValue, NumberValue, TextValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { useCompanyTaxId } from './use-company-tax-id.ts'

type CarrierFile = Item<'listCarrierFiles'>
type Line = Item<'listCarrierLines'>

/** The lines of the carrier's file of an invoice: of the same company, carrier and month. */
export default function InvoiceLines({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation('reconciliations')
  const taxId = useCompanyTaxId(invoice)
  const month = invoice['reference-period-start'].slice(0, 7)
  const ofInvoice = { 'company-tax-id': taxId ?? '', kind: 'invoice', 'reference-month': month } as const
  const { data } = useOperation(
    'listCarrierFiles',
    { query: { ...ofInvoice, status: 'read', 'items-per-page': 500 } },
    { enabled: taxId !== null },
  )
  const [chosen, setChosen] = useState<string>()
  if (data === undefined) return <Loading />
  const files = data.result.filter(
    (file) => productNameKey(file['carrier-name']) === productNameKey(invoice['carrier-name']),
  )
  const file = files.find((one) => one['file-id'] === chosen) ?? files[0]
  if (file === undefined) {
    return (
      <Text size="sm">
        {t('noInvoiceFile', { carrier: invoice['carrier-name'], month: formatMonth(month) })}{' '}
        <Anchor size="sm" renderRoot={(props) => <Link to="/reconciliations" search={ofInvoice} {...props} />}>
          {t('sendInvoiceFile')}
        </Anchor>
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {files.length > 1 && (
        <Choice
          label={t('file')}
          isData
          value={file['file-id']}
          onChange={setChosen}
          data={files.map((one) => ({
            value: one['file-id'],
            label: [contractNumber(one), one.name].filter(Boolean).join(' · '),
          }))}
        />
      )}
      <Facts invoice={invoice} file={file} />
      <Lines file={file} />
    </Stack>
  )
}

function Facts({ invoice, file }: { readonly invoice: Invoice; readonly file: CarrierFile }) {
  const { t } = useTranslation('reconciliations')
  const computed = file['computed-total'] ?? 0
  return (
    <FactList
      facts={[
        { key: 'contract', label: t('contract'), value: <Value>{contractNumber(file)}</Value> },
        {
          key: 'file',
          label: t('file'),
          value: (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link to="/reconciliations/$fileId" params={{ fileId: file['file-id'] }} {...props} />
              )}
            >
              {t('seeReconciliation')}
            </Anchor>
          ),
        },
        { key: 'computed', label: t('computed'), value: <MoneyValue value={computed} /> },
        { key: 'differs', label: t('amountDiffers'), value: <MoneyValue value={invoice.amount - computed} /> },
      ]}
    />
  )
}

function Lines({ file }: { readonly file: CarrierFile }) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const mayReadMembers = usePermission('readAnyMember')
  const list = usePagedList('listCarrierLines', {}, { path: [file['file-id']] })
  return (
    <DataTable
      label={t('reconciliations:linesOfInvoice')}
      unit="lines"
      columns={columnsOf(t, file['file-id'], mayReadMembers)}
      list={list}
      idOf={(line) => String(line['line-number'])}
      maxHeight="60vh"
    />
  )
}

const columnsOf = (
  t: TFunction<['reconciliations', 'terms']>,
  fileId: string,
  mayReadMembers: boolean,
): readonly Column<Line>[] => [
  {
    id: 'line',
    header: t('reconciliations:line'),
    width: '4rem',
    isNumeric: true,
    cell: (line) => <NumberValue value={line['line-number']} />,
  },
  {
    id: 'name',
    header: t('reconciliations:nameInFile'),
    width: 'minmax(8rem, 1.5fr)',
    cell: (line) => <TextValue value={line.name} />,
  },
  {
    id: 'person',
    header: t('reconciliations:person'),
    width: 'minmax(8rem, 1.5fr)',
    cell: (line) => <Person line={line} isLink={mayReadMembers} t={t} />,
  },
  {
    id: 'plan',
    header: t('reconciliations:plan'),
    width: '4.5rem',
    cell: (line) => <TextValue value={line['plan-code']} />,
  },
  {
    id: 'entry',
    header: t('reconciliations:entry'),
    width: 'minmax(8.5rem, 1fr)',
    cell: ({ 'entry-type': type }) => (type === null ? <Value>—</Value> : t(`terms:entryType.${type}`)),
  },
  {
    id: 'period',
    header: t('reconciliations:month'),
    width: '7rem',
    cell: ({ 'entry-period': period }) => <TextValue value={period === null ? null : formatMonth(period)} />,
  },
  {
    id: 'amount',
    header: t('reconciliations:amount'),
    width: '7rem',
    isNumeric: true,
    cell: (line) => <MoneyValue value={line.amount} />,
  },
  {
    id: 'class',
    header: t('reconciliations:class'),
    width: 'minmax(12rem, 1fr)',
    cell: (line) => <Classes line={line} fileId={fileId} t={t} />,
  },
  {
    id: 'difference',
    header: t('reconciliations:difference'),
    width: '7rem',
    isNumeric: true,
    cell: ({ discrepancies }) => {
      const amounts = discrepancies.flatMap(({ amount }) => amount ?? [])
      return <MoneyValue value={amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)} />
    },
  },
]

interface OfLine {
  readonly line: Line
  readonly t: TFunction<['reconciliations', 'terms']>
}

function Person({ line, isLink, t }: OfLine & { readonly isLink: boolean }) {
  const memberId = line['member-id']
  if (memberId === null) {
    const match = line.problems.length > 0 ? 'refused' : line['is-ambiguous'] ? 'ambiguous' : 'unmatched'
    return line['benefit-id'] === null ? t(`reconciliations:matches.${match}`) : <Value>—</Value>
  }
  const name = <TextValue value={line['member-name']} />
  if (!isLink) return name
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/members/$memberId" params={{ memberId }} {...props} />}>
      {name}
    </Anchor>
  )
}

/** What the comparison found of a line, as links to the discrepancies of that class. */
function Classes({ line, fileId, t }: OfLine & { readonly fileId: string }) {
  if (line.discrepancies.length === 0) return <Value>—</Value>
  return line.discrepancies.map((one, index) => (
    <span key={one['discrepancy-id']}>
      {index > 0 && ', '}
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/reconciliations/$fileId" params={{ fileId }} search={{ class: one.class }} {...props} />
        )}
      >
        {t(`terms:discrepancyClass.${one.class}`)}
      </Anchor>
    </span>
  ))
}
