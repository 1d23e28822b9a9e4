import { useTranslation } from 'react-i18next'
import { numeric, plain, PlainTable } from '../../components/plain-table.tsx'
import { Absent, MoneyValue } from '../../components/value.tsx'
import { formatMonth } from '../../format/month.ts'
import { text } from '../../lists/columns.tsx'
import { DiscrepancyStatusBadge } from '../reconciliations/discrepancy-value.tsx'
import type { Charge, ChargeDiscrepancy, ChargeLinks } from './charge.ts'

/** What the comparison found of a charge, and what is claimed of it. */
export function DiscrepancyTable({ charge, links }: { readonly charge: Charge; readonly links: ChargeLinks }) {
  const { t } = useTranslation(['charges', 'terms'])
  return (
    <PlainTable<ChargeDiscrepancy>
      label={t('charges:discrepancies')}
      box={{ style: { maxWidth: '64rem' } }}
      miw="44rem"
      items={charge.discrepancies}
      idOf={(found) => `${found.class} ${found['cover-month']} ${found['discrepancy-id']}`}
      columns={[
        plain(t('charges:class'), (found) => (
          <links.Discrepancy charge={charge} found={found}>
            {t(`terms:discrepancyClass.${found.class}`)}
          </links.Discrepancy>
        )),
        text(t('charges:coverMonth'), ({ 'cover-month': month }) => (month === null ? null : formatMonth(month))),
        numeric(t('charges:difference'), ({ amount }) => <MoneyValue value={amount} />),
        plain(t('charges:status'), ({ status }) => <DiscrepancyStatusBadge status={status} />),
        charge.discrepancies.some(({ explanation }) => explanation != null) &&
          plain<ChargeDiscrepancy>(t('charges:explanation'), ({ explanation }) =>
            explanation == null ? <Absent /> : t(`terms:explanation.${explanation}`),
          ),
        plain(t('charges:claim'), ({ claim }) =>
          claim === null ? <Absent /> : <ClaimWords claim={claim} links={links} />,
        ),
      ]}
    />
  )
}

function ClaimWords(props: { readonly claim: NonNullable<ChargeDiscrepancy['claim']>; readonly links: ChargeLinks }) {
  const { claim, links } = props
  const { t } = useTranslation(['charges', 'terms'])
  const protocol = claim['carrier-protocol']
  return (
    <>
      <links.Claim claim={claim}>{t(`terms:claimStatus.${claim.status}`)}</links.Claim>{' '}
      <MoneyValue value={claim.amount} />
      {claim['credited-in'] !== null && <>, {t('charges:creditedIn', { month: formatMonth(claim['credited-in']) })}</>}
      {protocol != null && <>, {t('charges:protocol', { protocol })}</>}
    </>
  )
}
