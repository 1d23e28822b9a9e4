import { Alert, Checkbox, List, Text, TextInput } from '@mantine/core'
import type { ResponseBody } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { TextLink } from '../../components/link.tsx'
import { isProductType } from '../../components/product-type.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { formatMonth, parseMonth } from '../../format/month.ts'
import { formatMoney, formatNumber } from '../../format/number.ts'
import { PreviewTable } from './preview-table.tsx'

type Preview = ResponseBody<'previewPayroll'>

/** Says what a payroll export would deduct and who cannot be in it, and makes it. @param props.firstMonth that the dialog opens with. */
export function ExportDialog(props: {
  readonly taxId: string
  readonly firstMonth: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation('payroll')
  const { taxId, onClose } = props
  const [written, setWritten] = useState(formatMonth(props.firstMonth))
  const [runId] = useState(() => crypto.randomUUID())
  const [isSkipping, setSkipping] = useState(false)
  const month = parseMonth(written)?.start.slice(0, 7)
  const ofMonth = { 'company-tax-id': taxId, 'reference-month': month ?? '' }
  const preview = useOperation(
    'previewPayroll',
    { query: { ...ofMonth, 'items-per-page': 1 } },
    { enabled: month !== undefined },
  )
  const skipped = new Set(preview.data?.problems.map((problem) => problem['member-id']))
  return (
    <ActDialog
      action={t('export')}
      size="xl"
      isDisabled={month === undefined || preview.data === undefined || (skipped.size > 0 && !isSkipping)}
      // What is sent again after a broken connection is the same export.
      act={() =>
        api.payroll.export({
          ...ofMonth,
          'run-id': `${runId}-${month}`,
          ...(isSkipping ? { skip: [...skipped] } : {}),
        })
      }
      done={t('exported')}
      onClose={onClose}
    >
      <TextInput
        label={t('period')}
        placeholder={t('monthPlaceholder')}
        w="9rem"
        required
        autoComplete="off"
        value={written}
        error={month === undefined ? t('invalidMonth') : undefined}
        onChange={({ currentTarget: { value } }) => {
          setWritten(value)
          setSkipping(false)
        }}
      />
      {month !== undefined && (
        <QueryView query={preview}>
          {(body) => (
            <>
              <Totals body={body} taxId={taxId} />
              {body.pagination['total-items'] > 0 && <PreviewTable query={ofMonth} />}
              <Problems body={body} />
              {skipped.size > 0 && (
                <Checkbox
                  label={t('skip', { count: skipped.size, formatted: formatNumber(skipped.size) })}
                  checked={isSkipping}
                  onChange={({ currentTarget: { checked } }) => setSkipping(checked)}
                />
              )}
            </>
          )}
        </QueryView>
      )}
    </ActDialog>
  )
}

function Totals({ body, taxId }: { readonly body: Preview; readonly taxId: string }) {
  const { t } = useTranslation('payroll')
  const { totals, result, 'reopened-months': reopened } = body
  return (
    <>
      <Text size="sm">
        {t('deducts', {
          count: totals.employees,
          formatted: formatNumber(totals.employees),
          amount: formatMoney(totals.amount),
        })}
        {totals['bill-amount'] !== 0 && <> {t('alsoBills', { amount: formatMoney(totals['bill-amount']) })}</>}
        {totals.held !== 0 && <> {t('holds', { amount: formatMoney(totals.held) })}</>}
      </Text>
      {result[0]?.event === null && (
        <Alert color="orange">
          {t('noProfile')}{' '}
          <TextLink to="/payroll/$taxId/profile" params={{ taxId }}>
            {t('profile.title')}
          </TextLink>
        </Alert>
      )}
      {reopened.length > 0 && (
        <Alert color="orange">{t('reopened', { months: reopened.map(formatMonth).join(', ') })}</Alert>
      )}
    </>
  )
}

function Problems({ body }: { readonly body: Preview }) {
  const { t } = useTranslation(['payroll', 'terms'])
  const { problems, 'deducted-without-charge': uncharged } = body
  return (
    <>
      {problems.length > 0 && (
        <>
          <Text size="sm">{t('payroll:cannot')}</Text>
          <List size="sm" mah="30vh" style={{ overflowY: 'auto' }}>
            {problems.map((problem) => (
              <List.Item key={`${problem['member-id']} ${problem.code} ${problem.column}`}>
                <Value>{problem.name}</Value>: {t(`payroll:problems.${problem.code}`)}
                {problem.column !== null && (
                  <>
                    {' '}
                    (<Value>{problem.column}</Value>)
                  </>
                )}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {uncharged.length > 0 && (
        <>
          <Text size="sm">{t('payroll:withoutCharge')}</Text>
          <List size="sm" mah="30vh" style={{ overflowY: 'auto' }}>
            {uncharged.map(({ 'member-id': id, name, kind, 'product-type': type, 'since-month': since }) => (
              <List.Item key={`${id} ${kind} ${type}`}>
                <Value>{name}</Value>:{' '}
                {t('payroll:withoutChargeSince', {
                  kind: t(`payroll:kindOf.${kind}`),
                  product: isProductType(type) ? t(`terms:productType.${type}`) : type,
                  month: formatMonth(since),
                })}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  )
}
