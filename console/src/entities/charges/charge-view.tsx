import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { MoneyValue, TextValue, Value } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { formatMoney, formatNumber } from '../../format/number.ts'
import { CauseTable } from './cause-table.tsx'
import type { Charge, ChargeLinks } from './charge.ts'
import { DiscrepancyTable } from './discrepancy-table.tsx'
import { MovementSteps } from './movement-steps.tsx'
import { TermTable } from './term-table.tsx'

/** Why an amount is what it is: in a sentence, by terms that add up to it, by what changed, and by what happened. */
export function ChargeView({ charge, links }: { readonly charge: Charge; readonly links: ChargeLinks }) {
  const { t } = useTranslation(['charges', 'terms'])
  return (
    <Stack gap="lg" component="article" mb="xl">
      <div>
        <Text maw="60rem" mb={4}>
          <Value>{charge.sentence}</Value>
        </Text>
        <Text size="sm" c="dimmed">
          {t(`charges:basis.${charge.basis}`)}
        </Text>
      </div>
      <ChargeFacts charge={charge} links={links} />
      <section>
        <SectionTitle>{t('charges:terms')}</SectionTitle>
        <TermTable charge={charge} links={links} />
      </section>
      <section>
        <SectionTitle>{t('charges:causes')}</SectionTitle>
        <CauseTable charge={charge} />
      </section>
      <MovementSteps charge={charge} links={links} />
      {charge.discrepancies.length > 0 && (
        <section>
          <SectionTitle>{t('charges:discrepancies')}</SectionTitle>
          <DiscrepancyTable charge={charge} links={links} />
        </section>
      )}
    </Stack>
  )
}

function ChargeFacts({ charge, links: { Person } }: { readonly charge: Charge; readonly links: ChargeLinks }) {
  const { t } = useTranslation(['charges', 'terms'])
  const { 'member-id': memberId, 'beneficiary-type': role, 'line-number': line } = charge
  const facts: Facts = [
    memberId !== null &&
      fact(
        t('charges:person'),
        <Person memberId={memberId}>
          <TextValue value={charge['member-name']} />
        </Person>,
      ),
    memberId === null && fact(t('charges:person'), t('charges:nobody')),
    line != null && fact(t('charges:line', { line }), <TextValue value={charge['member-name']} />),
    charge['employee-id'] !== null && fact(t('charges:employeeId'), <Value>{charge['employee-id']}</Value>),
    role !== null && fact(t('charges:role'), t(`terms:beneficiaryType.${role}`)),
    charge['product-name'] !== null && fact(t('charges:product'), <Value>{charge['product-name']}</Value>),
    charge['start-date'] !== null && fact(t('charges:cover'), <Cover start={charge['start-date']} charge={charge} />),
    fact(
      t('charges:amount'),
      <Text span inherit fw={700}>
        <MoneyValue value={charge.amount} />
      </Text>,
    ),
    fact(t('charges:expected'), <MoneyValue value={charge.expected} />),
    fact(t('charges:difference'), <MoneyValue value={charge.difference} />),
    charge['benefit-id'] !== null && fact(t('charges:employee'), <EmployeePart charge={charge} />),
    charge['benefit-id'] !== null && fact(t('charges:company'), <MoneyValue value={charge['company-amount']} />),
  ]
  return <FactList facts={facts} />
}

function Cover({ start, charge }: { readonly start: string; readonly charge: Charge }) {
  const { t } = useTranslation('charges')
  const end = charge['end-date']
  return end === null ? (
    <>{t('since', { start: formatDate(start) })}</>
  ) : (
    <>{t('until', { start: formatDate(start), end: formatDate(end) })}</>
  )
}

/** What the employee pays, and by what. */
function EmployeePart({ charge: { employee } }: { readonly charge: Charge }) {
  const { t } = useTranslation('charges')
  const { amount, from, share } = employee
  const percent = share !== null && 'basis-points' in share ? share['basis-points'] / 100 : null
  const words =
    share === null
      ? ''
      : percent === null
        ? t('fixed', { amount: formatMoney('amount' in share ? share.amount : 0) })
        : t('percent', { percent: formatNumber(percent) })
  return (
    <>
      <MoneyValue value={amount} />
      {from !== null && (from !== 'rule' || words !== '') && (
        <Text size="xs" c="dimmed">
          {t(`from.${from}`, { share: words })}
        </Text>
      )}
    </>
  )
}
