import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { CORRECTABLE_CLASSES } from '../../../../src/kernel/reconciliation.ts'
import type { Column } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { Absent, MoneyValue } from '../../components/value.tsx'
import { WhyLink } from '../../entities/charges/why-link.tsx'
import { formatMonth } from '../../format/month.ts'
import { column, labeled, side, text } from '../../lists/columns.tsx'
import type { Discrepancy, Reconciliation } from '../../entities/reconciliations/reconciliation.ts'
import { DiscrepancyStatusBadge, DiscrepancyValue } from '../../entities/reconciliations/discrepancy-value.tsx'

type T = TFunction<['reconciliations', 'terms']>

interface Options {
  readonly reconciliation: Reconciliation
  readonly nameOf: (clientId: string) => string
  readonly mayReadMembers: boolean
  /** null: the role or the status of the reconciliation does not allow it. */
  readonly onCorrect: ((one: Discrepancy) => void) | null
}

/** Whether one click takes over what the carrier has. */
const isCorrectable = ({ class: name, status }: Discrepancy) =>
  CORRECTABLE_CLASSES.some((one) => one === name) && status !== 'claimed' && status !== 'corrected'

export function columnsOf(t: T, options: Options): readonly Column<Discrepancy>[] {
  const { reconciliation, nameOf, mayReadMembers, onCorrect } = options
  // `expected` and `found` are cents.
  const isMoney = reconciliation.kind === 'invoice'
  const value = (one: Discrepancy, side: 'expected' | 'found') => (
    <DiscrepancyValue name={one.class} value={one[side]} isMoney={isMoney} />
  )
  return [
    column(t('reconciliations:person'), 'minmax(11rem, 1.5fr)', (one) => <Person one={one} isLink={mayReadMembers} />),
    column(t('reconciliations:class'), 'minmax(13.5rem, 1fr)', (one) => {
      const words = t(`terms:discrepancyClass.${one.class}`)
      return <span title={words}>{words}</span>
    }),
    {
      ...labeled(t('reconciliations:expected'), 'minmax(7rem, 1fr)', (one: Discrepancy) => value(one, 'expected')),
      isNumeric: isMoney,
    },
    {
      ...labeled(t('reconciliations:found'), 'minmax(7rem, 1fr)', (one: Discrepancy) => value(one, 'found')),
      isNumeric: isMoney,
    },
    ...(isMoney
      ? [
          {
            ...column(t('reconciliations:amount'), '7.5rem', (one: Discrepancy) => (
              <WhyLink of={reconciliation} line={one}>
                <MoneyValue value={one.amount} />
              </WhyLink>
            )),
            isNumeric: true,
          },
        ]
      : []),
    ...(isMoney ? [coverMonth(t)] : []),
    side(t('reconciliations:status'), '7rem', (one) => <DiscrepancyStatusBadge status={one.status} />),
    column(t('reconciliations:correction'), '8.5rem', (one) => <Correction t={t} one={one} onCorrect={onCorrect} />),
    column(t('reconciliations:explanation'), '9.5rem', (one) =>
      one.explanation === null ? <Absent /> : t(`terms:explanation.${one.explanation}`),
    ),
    text(t('reconciliations:assignee'), (one) => (one.assignee === null ? null : nameOf(one.assignee)), '8rem'),
    column(t('reconciliations:note'), 'minmax(8rem, 1fr)', (one) =>
      one.note === null ? (
        <Absent />
      ) : (
        <span translate="no" title={one.note}>
          {one.note}
        </span>
      ),
    ),
  ]
}

function Person({ one, isLink }: { readonly one: Discrepancy; readonly isLink: boolean }) {
  const memberId = one['member-id']
  const name = (
    <span translate="no" title={one['member-name'] ?? ''}>
      {one['member-name'] ?? '—'}
    </span>
  )
  if (memberId === null || !isLink) return name
  return (
    <TextLink to="/members/$memberId" params={{ memberId }}>
      {name}
    </TextLink>
  )
}

function Correction(props: { readonly t: T; readonly one: Discrepancy; readonly onCorrect: Options['onCorrect'] }) {
  const { t, one, onCorrect } = props
  const requestId = one['request-id']
  if (requestId !== null) {
    return (
      <TextLink to="/requests/$requestId" params={{ requestId }}>
        {t('reconciliations:movement')}
      </TextLink>
    )
  }
  const claimId = one['claim-id']
  if (claimId !== null) {
    return (
      <TextLink to="/claims/$claimId" params={{ claimId }}>
        {t('reconciliations:seeClaim')}
      </TextLink>
    )
  }
  if (onCorrect === null || !isCorrectable(one)) return <Absent />
  return (
    <Button size="compact-xs" variant="default" onClick={() => onCorrect(one)}>
      {t('reconciliations:correct')}
    </Button>
  )
}

const coverMonth = (t: T) =>
  text(
    t('reconciliations:coverMonth'),
    ({ 'cover-month': month }: Discrepancy) => (month === null ? null : formatMonth(month)),
    '9.5rem',
  )
