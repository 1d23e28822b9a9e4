import { Alert, List, Text, TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { numeric, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { Loading } from '../../components/state-view.tsx'
import { MoneyValue, Value } from '../../components/value.tsx'
import { balanceQuery, compensationOf, type FinalBalance } from '../../entities/payroll/leaver.ts'
import { businessDate } from '../../format/date.ts'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { type LeaverOfList, readingOf } from './leavers.ts'

/** Says what an export of leavers has of each, and makes it. Who has no exclusion that ends the employment is not in it. */
export function LeaversDialog(props: {
  readonly taxId: string
  readonly leavers: readonly LeaverOfList[]
  readonly onExported: () => Promise<void>
  readonly onClose: () => void
}) {
  const { taxId, leavers, onExported, onClose } = props
  const { t } = useTranslation('payroll')
  const [written, setWritten] = useState(formatMonth(businessDate().slice(0, 7)))
  const [runId] = useState(() => crypto.randomUUID())
  const month = parseMonth(written)?.start.slice(0, 7)
  const queries = useQueries({ queries: leavers.map((one) => balanceQuery(readingOf(taxId, one.id), one.values)) })
  const known: FinalBalance[] = []
  const exported: LeaverOfList[] = []
  const others: string[] = []
  for (const [index, leaver] of leavers.entries()) {
    const balance = queries[index]?.data?.result
    if (balance === undefined || leaver.values['end-date'] !== null) {
      others.push(balance?.name ?? leaver.name ?? t('employee'))
    } else {
      known.push(balance)
      exported.push(leaver)
    }
  }
  const isPending = queries.some((query) => query.isPending)
  return (
    <ActDialog
      action={t('leaving.export')}
      size="lg"
      isDisabled={month === undefined || isPending || exported.length === 0}
      act={() =>
        api.payroll.export({
          'company-tax-id': taxId,
          'reference-month': month ?? '',
          // What is sent again after a broken connection is the same export.
          'run-id': `${runId}-${month}`,
          kind: 'leavers',
          leavers: exported.map(({ id, values }) => ({ 'member-id': id, ...compensationOf(values) })),
        })
      }
      done={t('exported')}
      onDone={onExported}
      onClose={onClose}
    >
      <Text size="sm">{t('leaving.exportText')}</Text>
      <TextInput
        label={t('period')}
        placeholder={t('monthPlaceholder')}
        w="9rem"
        required
        autoComplete="off"
        value={written}
        error={month === undefined ? t('invalidMonth') : undefined}
        onChange={({ currentTarget: { value } }) => setWritten(value)}
      />
      {isPending && <Loading />}
      {known.length > 0 && (
        <PlainTable<FinalBalance>
          label={t('leaving.preview')}
          items={known}
          idOf={(balance) => balance['member-id']}
          columns={[
            rowHeader(t('employee'), ({ name }) => <Value>{name}</Value>),
            numeric(t('leaving.fits'), ({ fits }) => <MoneyValue value={fits} />),
            numeric(t('leaving.rest'), ({ rest }) => <MoneyValue value={rest} />),
          ]}
        />
      )}
      {!isPending && others.length > 0 && (
        <Alert color="orange">
          {t('leaving.without')}
          <List size="sm">
            {others.map((name, index) => (
              <List.Item key={index}>
                <Value>{name}</Value>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </ActDialog>
  )
}
