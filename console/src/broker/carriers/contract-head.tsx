import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { Badge } from '../../components/badge.tsx'
import { ContextLine } from '../../components/context-line.tsx'
import { type Facts, FactList, fact } from '../../components/fact-list.tsx'
import { KeyNumbers, keyNumber } from '../../components/key-numbers.tsx'
import { TextLink } from '../../components/link.tsx'
import { CnpjValue, DateValue, NumberValue, Value } from '../../components/value.tsx'
import { CompanyName } from '../../entities/companies/company-name.tsx'
import { formatMonthName } from '../../format/month.ts'
import { usePermission } from '../../session/use-permission.ts'
import type { Contract } from './contract-values.ts'

/** Whose contract it is, how many lives it has, when movements must be sent; the rest of its data folded. */
export function ContractHead({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation(['carriers', 'terms'])
  const taxId = contract['company-tax-id']
  const mayRead = usePermission('readCompanyHeadcount')
  const lives = useLives(contract, mayRead)
  return (
    <>
      <ContextLine
        items={[
          contract.status !== 'active' && <Badge color="gray">{t(`terms:contractStatus.${contract.status}`)}</Badge>,
          <TextLink key="company" to="/companies/$taxId" params={{ taxId }}>
            <CompanyName taxId={taxId} />
          </TextLink>,
          contract['sub-contract'] !== '' && (
            <>
              {t('carriers:form.subContract')} <Value>{contract['sub-contract']}</Value>
            </>
          ),
          contract.channel !== null && t(`terms:contractChannel.${contract.channel}`),
        ]}
      />
      <KeyNumbers
        numbers={[
          lives !== null && keyNumber(t('carriers:livesNow'), <NumberValue value={lives} />),
          contract.lives !== null && keyNumber(t('carriers:lives'), t(`terms:contractLives.${contract.lives}`)),
          contract['next-cut-off'] !== null &&
            keyNumber(t('carriers:nextCutOff'), <DateValue value={contract['next-cut-off']['cut-off-date']} />),
        ]}
      />
      <details>
        <summary>{t('carriers:data')}</summary>
        <ContractFacts contract={contract} />
      </details>
    </>
  )
}

/** How many people have a product of the contract today; null: not known. */
function useLives(contract: Contract, mayRead: boolean): number | null {
  const path = [contract['company-tax-id']]
  const { data } = useOperation('readCompanyHeadcount', { path }, { enabled: mayRead })
  if (data === undefined) return null
  const products = new Set(contract.plans.map((plan) => plan['product-id']))
  return data.result
    .filter((one) => products.has(one['product-id']))
    .reduce((sum, one) => sum + one.primaries + one.dependents, 0)
}

function ContractFacts({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation(['carriers', 'terms', 'states'])
  const flag = (label: string, value: boolean | null) =>
    value !== null && fact(label, t(value ? 'states:yes' : 'states:no'))
  const text = (label: string, value: string | null) =>
    value !== null && value !== '' && fact(label, <Value>{value}</Value>)
  const {
    'anniversary-month': anniversary,
    'retirement-remainder': remainder,
    'carrier-tax-id': carrierTaxId,
  } = contract
  const facts: Facts = [
    text(t('carriers:carrierCompanyCode'), contract['carrier-company-code']),
    text(t('carriers:ansRegistration'), contract['ans-registration']),
    carrierTaxId !== null && fact(t('carriers:taxId'), <CnpjValue value={carrierTaxId} />),
    contract['contract-start'] !== null &&
      fact(t('carriers:contractStart'), <DateValue value={contract['contract-start']} />),
    anniversary !== null && fact(t('carriers:anniversaryMonth'), <Value>{formatMonthName(anniversary)}</Value>),
    flag(t('carriers:contributory'), contract.contributory),
    flag(t('carriers:coparticipation'), contract.coparticipation),
    flag(t('carriers:postPaid'), contract['post-paid']),
    remainder !== null && fact(t('carriers:retirementRemainder'), t(`carriers:remainders.${remainder}`)),
    flag(t('carriers:showDiscrepancies'), contract['show-discrepancies']),
    fact(t('carriers:answerWithin'), t('carriers:businessDays', { count: contract['answer-within-business-days'] })),
  ]
  return <FactList facts={facts} />
}
