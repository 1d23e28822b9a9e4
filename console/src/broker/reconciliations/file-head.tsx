import { useTranslation } from 'react-i18next'
import { ContextLine } from '../../components/context-line.tsx'
import { contractLinks } from '../../components/contract-links.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { DateValue, MoneyValue, NumberValue, Value } from '../../components/value.tsx'
import type { CarrierFile, Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import { FileStatusBadge, ReconciliationStatusBadge } from './status-badges.tsx'

interface Props {
  readonly file: CarrierFile
  readonly reconciliation: Reconciliation | undefined
}

/** What a file belongs to and how far it is, and the numbers of its comparison. */
export function FileHead({ file, reconciliation }: Props) {
  const { t } = useTranslation(['reconciliations', 'terms'])
  const { unmatched, ambiguous } = file.matches
  const doubts = [
    { match: 'unmatched', count: unmatched, label: t('reconciliations:unmatchedLines', { count: unmatched }) },
    { match: 'ambiguous', count: ambiguous, label: t('reconciliations:ambiguousLines', { count: ambiguous }) },
    {
      match: 'refused',
      count: file['refused-lines'],
      label: t('reconciliations:refusedLines', { count: file['refused-lines'] ?? 0 }),
    },
  ] as const
  return (
    <>
      <ContextLine
        items={[
          reconciliation === undefined ? (
            <FileStatusBadge status={file.status} />
          ) : (
            <ReconciliationStatusBadge status={reconciliation.status} />
          ),
          ...contractLinks(file),
          file['invoice-kind'] !== null && t(`terms:invoiceKind.${file['invoice-kind']}`),
          file.name !== null && <Value>{file.name}</Value>,
          reconciliation !== undefined && (
            <>
              {t('reconciliations:asOf')} <DateValue value={reconciliation['as-of']} />
            </>
          ),
          ...doubts.map(
            ({ match, count, label }) =>
              (count ?? 0) > 0 && (
                <TextLink
                  key={match}
                  to="/reconciliations/$fileId"
                  params={{ fileId: file['file-id'] }}
                  search={{ view: 'lines' as const, match }}
                >
                  {label}
                </TextLink>
              ),
          ),
        ]}
      />
      {reconciliation?.amounts == null ? (
        <FileNumbers file={file} reconciliation={reconciliation} />
      ) : (
        <AmountNumbers reconciliation={reconciliation} amounts={reconciliation.amounts} />
      )}
    </>
  )
}

/** The sums of an invoice, by their sign and by what became of them. */
function AmountNumbers(props: {
  readonly reconciliation: Reconciliation
  readonly amounts: NonNullable<Reconciliation['amounts']>
}) {
  const { reconciliation, amounts } = props
  const { t } = useTranslation('reconciliations')
  const isComputing = reconciliation.status === 'computing'
  if (isComputing) return null
  return (
    <KeyNumbers
      numbers={[
        keyNumber(t('carrierTotal'), <MoneyValue value={reconciliation['carrier-total']} />),
        keyNumber(t('expectedTotal'), <MoneyValue value={reconciliation['expected-total']} />),
        keyNumber(t('tooMuch'), <MoneyValue value={amounts['too-much'].total} />),
        // Without a zero that has a sign.
        keyNumber(t('tooLittle'), <MoneyValue value={0 - amounts['too-little'].total} />),
        keyNumber(t('claimedSum'), <MoneyValue value={amounts.claimed.total} />),
        keyNumber(t('explainedSum'), <MoneyValue value={amounts.explained.total} />),
        keyNumber(t('toDecide'), <MoneyValue value={amounts.open.total} />, amounts.open.total > 0),
      ]}
    />
  )
}

/** The numbers of a file without amounts that are compared. */
function FileNumbers({ file, reconciliation }: Props) {
  const { t } = useTranslation('reconciliations')
  const open = reconciliation?.counts.reduce((sum, one) => sum + one.open, 0)
  const differs = file['total-differs'] ?? 0
  return (
    <KeyNumbers
      numbers={[
        file.lines !== null && keyNumber(t('lines'), <NumberValue value={file.lines} />),
        file['computed-total'] !== null && keyNumber(t('computed'), <MoneyValue value={file['computed-total']} />),
        differs !== 0 && keyNumber(t('declared'), <MoneyValue value={file['declared-total']} />),
        differs !== 0 && keyNumber(t('totalDiffers'), <MoneyValue value={differs} />, true),
        open !== undefined &&
          reconciliation?.status !== 'computing' &&
          keyNumber(t('toDecide'), <NumberValue value={open} />, open > 0),
      ]}
    />
  )
}
