import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { TextLink } from '../../components/link.tsx'
import { Absent, TextValue } from '../../components/value.tsx'
import { DiscrepancyStatusBadge, DiscrepancyValue } from '../../entities/reconciliations/discrepancy-value.tsx'
import { formatMonth } from '../../format/month.ts'
import { column, labeled, money, side, text } from '../../lists/columns.tsx'

type CompanyDiscrepancy = Item<'listCompanyDiscrepancies'>
type T = TFunction<['reconciliations', 'hr', 'terms']>

/** Whom a discrepancy is of. */
export const personColumn = (t: T) =>
  column(t('reconciliations:person'), 'minmax(11rem, 1.5fr)', (one: CompanyDiscrepancy) => {
    const memberId = one['member-id']
    const name = <TextValue value={one['member-name']} />
    if (memberId === null) return name
    return (
      <TextLink to="/hr/people/$memberId" params={{ memberId }}>
        {name}
      </TextLink>
    )
  })

/** What differs, and what becomes of it. @param seesMoney whether the person sees invoices. */
export const differenceColumns = (t: T, seesMoney: boolean) => [
  column(t('reconciliations:class'), 'minmax(14rem, 1.5fr)', (one: CompanyDiscrepancy) => {
    const words = t(`terms:discrepancyClass.${one.class}`)
    return <span title={words}>{words}</span>
  }),
  ...(['expected', 'found'] as const).map((side) =>
    labeled(t(`reconciliations:${side}`), 'minmax(7rem, 1fr)', (one: CompanyDiscrepancy) => (
      <DiscrepancyValue name={one.class} value={one[side]} isMoney={one.kind === 'invoice'} />
    )),
  ),
  ...(seesMoney ? [money(t('reconciliations:amount'), (one: CompanyDiscrepancy) => one.amount, '7.5rem')] : []),
  ...(seesMoney ? [coverMonth(t)] : []),
  side(t('reconciliations:status'), '7rem', (one: CompanyDiscrepancy) => (
    <DiscrepancyStatusBadge status={one.status} />
  )),
  column(t('reconciliations:correction'), '9.5rem', (one: CompanyDiscrepancy) => {
    const requestId = one['request-id']
    if (requestId === null) return <Absent />
    return (
      <TextLink to="/hr/requests/$requestId" params={{ requestId }}>
        {t('reconciliations:movement')}
      </TextLink>
    )
  }),
  column(t('reconciliations:explanation'), '9.5rem', (one: CompanyDiscrepancy) =>
    one.explanation === null ? <Absent /> : t(`terms:explanation.${one.explanation}`),
  ),
  text(t('reconciliations:month'), (one: CompanyDiscrepancy) => formatMonth(one['reference-month']), '7rem'),
  text(t('hr:product'), (one: CompanyDiscrepancy) => one['product-name']),
  text(t('reconciliations:carrier'), (one: CompanyDiscrepancy) => one['carrier-name']),
]

const coverMonth = (t: T) =>
  text(
    t('reconciliations:coverMonth'),
    ({ 'cover-month': month }: CompanyDiscrepancy) => (month === null ? null : formatMonth(month)),
    '9.5rem',
  )
