import { useTranslation } from 'react-i18next'
import { FactList, fact } from '../../components/fact-list.tsx'
import { MoneyValue, NumberValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { Contract } from './contract-values.ts'

/** What the contract says of prices, and of how late a movement may be. */
export function MoneyFacts({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation('carriers')
  const { 'age-on': ageOn, proration, 'proration-day': day } = contract
  const limit = (value: Contract['retroactive-exclusion']) =>
    value === null ? (
      <Value>—</Value>
    ) : (
      t(`money.limitOf.${value.unit}`, { count: value.count, formatted: formatNumber(value.count) })
    )
  return (
    <FactList
      facts={[
        fact(t('money.ageOn'), ageOn === null ? <Value>—</Value> : t(`money.ageOnOf.${ageOn}`)),
        fact(t('money.proration'), proration === null ? <Value>—</Value> : t(`money.prorationOf.${proration}`)),
        day !== null && fact(t('money.prorationDay'), <NumberValue value={day} />),
        fact(t('money.tolerance'), <MoneyValue value={contract.tolerance} />),
        fact(t('money.exclusion'), limit(contract['retroactive-exclusion'])),
        fact(t('money.inclusion'), limit(contract['retroactive-inclusion'])),
        fact(t('money.delay'), <NumberValue value={contract['coparticipation-delay-months']} />),
      ]}
    />
  )
}
