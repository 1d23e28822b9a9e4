import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { CORRECTABLE_CLASSES } from '../../../../src/kernel/reconciliation.ts'
import type { Column } from '../../components/data-table.tsx'
import { MoneyValue, TextValue, Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { formatMoney } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import type { Discrepancy } from './reconciliation.ts'
import { DiscrepancyStatusBadge } from './status-badges.tsx'

type T = TFunction<['reconciliations', 'terms']>

interface Options {
  /** `expected` and `found` are cents. */
  readonly isMoney: boolean
  readonly nameOf: (clientId: string) => string
  readonly mayReadMembers: boolean
  /** null: the role or the status of the reconciliation does not allow it. */
  readonly onCorrect: ((one: Discrepancy) => void) | null
}

/** Whether one click takes over what the carrier has. */
const isCorrectable = ({ class: name, status }: Discrepancy) =>
  CORRECTABLE_CLASSES.some((one) => one === name) && status !== 'claimed' && status !== 'corrected'

function wordsOf(t: T, { class: name }: Discrepancy, value: string | null, isMoney: boolean): string {
  if (value === null) return '—'
  if (isMoney && /^-?\d+$/.test(value)) return formatMoney(Number(value))
  if (name === 'tax-id-differs') return formatCpf(value)
  if (name === 'relationship-differs') {
    return value === 'primary' || value === 'dependent'
      ? t(`terms:beneficiaryType.${value}`)
      : t(`terms:dependentType.${value as 'child'}`)
  }
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : value
}

export function columnsOf(t: T, options: Options): readonly Column<Discrepancy>[] {
  const { isMoney, nameOf, mayReadMembers, onCorrect } = options
  const value = (one: Discrepancy, text: string | null) => {
    const words = wordsOf(t, one, text, isMoney)
    return (
      <span translate="no" title={words}>
        {words}
      </span>
    )
  }
  return [
    {
      id: 'person',
      header: t('reconciliations:person'),
      width: 'minmax(11rem, 1.5fr)',
      cell: (one) => <Person one={one} isLink={mayReadMembers} />,
    },
    {
      id: 'class',
      header: t('reconciliations:class'),
      width: 'minmax(11rem, 1fr)',
      cell: (one) => {
        const words = t(`terms:discrepancyClass.${one.class}`)
        return <span title={words}>{words}</span>
      },
    },
    {
      id: 'expected',
      header: t('reconciliations:expected'),
      width: 'minmax(7rem, 1fr)',
      cell: (one) => value(one, one.expected),
    },
    {
      id: 'found',
      header: t('reconciliations:found'),
      width: 'minmax(7rem, 1fr)',
      cell: (one) => value(one, one.found),
    },
    ...(isMoney
      ? [
          {
            id: 'amount',
            header: t('reconciliations:amount'),
            width: '7.5rem',
            isNumeric: true,
            cell: (one: Discrepancy) => <MoneyValue value={one.amount} />,
          },
        ]
      : []),
    {
      id: 'status',
      header: t('reconciliations:status'),
      width: '7rem',
      cell: (one) => <DiscrepancyStatusBadge status={one.status} />,
    },
    {
      id: 'act',
      header: t('reconciliations:correction'),
      width: '8.5rem',
      cell: (one) => <Correction t={t} one={one} onCorrect={onCorrect} />,
    },
    {
      id: 'explanation',
      header: t('reconciliations:explanation'),
      width: '9.5rem',
      cell: (one) => (one.explanation === null ? <Value>—</Value> : t(`terms:explanation.${one.explanation}`)),
    },
    {
      id: 'assignee',
      header: t('reconciliations:assignee'),
      width: '8rem',
      cell: (one) => <TextValue value={one.assignee === null ? null : nameOf(one.assignee)} />,
    },
    {
      id: 'note',
      header: t('reconciliations:note'),
      width: 'minmax(8rem, 1fr)',
      cell: (one) => (
        <span translate="no" title={one.note ?? ''}>
          {one.note ?? '—'}
        </span>
      ),
    },
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
    <Anchor size="sm" renderRoot={(props) => <Link to="/members/$memberId" params={{ memberId }} {...props} />}>
      {name}
    </Anchor>
  )
}

function Correction(props: { readonly t: T; readonly one: Discrepancy; readonly onCorrect: Options['onCorrect'] }) {
  const { t, one, onCorrect } = props
  const requestId = one['request-id']
  if (requestId !== null) {
    return (
      <Anchor size="sm" renderRoot={(link) => <Link to="/requests/$requestId" params={{ requestId }} {...link} />}>
        {t('reconciliations:movement')}
      </Anchor>
    )
  }
  const claimId = one['claim-id']
  if (claimId !== null) {
    return (
      <Anchor size="sm" renderRoot={(link) => <Link to="/claims/$claimId" params={{ claimId }} {...link} />}>
        {t('reconciliations:seeClaim')}
      </Anchor>
    )
  }
  if (onCorrect === null || !isCorrectable(one)) return <Value>—</Value>
  return (
    <Button size="compact-xs" variant="default" onClick={() => onCorrect(one)}>
      {t('reconciliations:correct')}
    </Button>
  )
}
