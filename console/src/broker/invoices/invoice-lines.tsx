import { Stack, Text } from '@mantine/core'
import type { Invoice, Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { productNameKey } from '../../../../src/kernel/product-name.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { Choice } from '../../components/choice.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { Loading } from '../../components/state-view.tsx'
import { Absent, MoneyValue, TextValue, Value } from '../../components/value.tsx'
import { WhyLink } from '../../entities/charges/why-link.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { contractNumber } from '../../format/contract-number.ts'
import { formatMonth } from '../../format/month.ts'
import { number, text, column, money } from '../../lists/columns.tsx'
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
        <TextLink to="/reconciliations" search={ofInvoice}>
          {t('sendInvoiceFile')}
        </TextLink>
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
        fact(t('contract'), <Value>{contractNumber(file)}</Value>),
        fact(
          t('file'),
          <TextLink to="/reconciliations/$fileId" params={{ fileId: file['file-id'] }}>
            {t('seeReconciliation')}
          </TextLink>,
        ),
        fact(t('computed'), <MoneyValue value={computed} />),
        fact(t('amountDiffers'), <MoneyValue value={invoice.amount - computed} />),
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
      columns={columnsOf(t, file, mayReadMembers)}
      list={list}
      idOf={(line) => String(line['line-number'])}
      maxHeight="60vh"
    />
  )
}

const columnsOf = (
  t: TFunction<['reconciliations', 'terms']>,
  file: CarrierFile,
  mayReadMembers: boolean,
): readonly Column<Line>[] => [
  number(t('reconciliations:line'), 'line-number', '4rem'),
  text(t('reconciliations:nameInFile'), 'name', 'minmax(8rem, 1.5fr)'),
  column(t('reconciliations:person'), 'minmax(8rem, 1.5fr)', (line) => (
    <Person line={line} isLink={mayReadMembers} t={t} />
  )),
  text(t('reconciliations:plan'), 'plan-code', '4.5rem'),
  column(t('reconciliations:entry'), 'minmax(8.5rem, 1fr)', ({ 'entry-type': type }) =>
    type === null ? <Absent /> : t(`terms:entryType.${type}`),
  ),
  text(
    t('reconciliations:month'),
    ({ 'entry-period': period }) => (period === null ? null : formatMonth(period)),
    '7rem',
  ),
  {
    ...column<Line>(t('reconciliations:amount'), '7rem', (line) => {
      const value = <MoneyValue value={line.amount} />
      if (line.kind === 'total') return value
      return (
        <WhyLink of={file} line={line}>
          {value}
        </WhyLink>
      )
    }),
    isNumeric: true,
  },
  column(t('reconciliations:class'), 'minmax(12rem, 1fr)', (line) => (
    <Classes line={line} fileId={file['file-id']} t={t} />
  )),
  money(
    t('reconciliations:difference'),
    ({ discrepancies }) => {
      const amounts = discrepancies.flatMap(({ amount }) => amount ?? [])
      return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)
    },
    '7rem',
  ),
]

interface OfLine {
  readonly line: Line
  readonly t: TFunction<['reconciliations', 'terms']>
}

function Person({ line, isLink, t }: OfLine & { readonly isLink: boolean }) {
  const memberId = line['member-id']
  if (memberId === null) {
    const match = line.problems.length > 0 ? 'refused' : line['is-ambiguous'] ? 'ambiguous' : 'unmatched'
    return line['benefit-id'] === null ? t(`reconciliations:matches.${match}`) : <Absent />
  }
  const name = <TextValue value={line['member-name']} />
  if (!isLink) return name
  return (
    <TextLink to="/members/$memberId" params={{ memberId }}>
      {name}
    </TextLink>
  )
}

/** What the comparison found of a line, as links to the discrepancies of that class. */
function Classes({ line, fileId, t }: OfLine & { readonly fileId: string }) {
  if (line.discrepancies.length === 0) return <Absent />
  return line.discrepancies.map((one, index) => (
    <span key={one['discrepancy-id']}>
      {index > 0 && ', '}
      <TextLink to="/reconciliations/$fileId" params={{ fileId }} search={{ class: one.class }}>
        {t(`terms:discrepancyClass.${one.class}`)}
      </TextLink>
    </span>
  ))
}
