import type { TFunction } from 'i18next'
import { numberFormat, formatMoney } from '../../format/number.ts'
import { formatDate } from '../../format/date.ts'
import type { ContributionRule, Share } from './contribution-values.ts'

type Said = Pick<
  ContributionRule,
  | 'primary-employee-share'
  | 'dependent-employee-share'
  | 'coparticipation-employee-share'
  | 'cost-centers'
  | 'job-titles'
  | 'valid-from'
>

/** `20% do preço`, `R$ 50,00 por mês`. */
function shareWords(t: TFunction<'prices'>, share: Share): string {
  return 'amount' in share
    ? t('shareAmount', { amount: formatMoney(share.amount) })
    : t('sharePercent', { percent: numberFormat({ maximumFractionDigits: 2 }).format(share['basis-points'] / 100) })
}

/** What a rule does, in sentences. @param product its name; null: every product of the contract. */
export function contributionWords(t: TFunction<'prices'>, rule: Said, product: string | null): string {
  const { 'cost-centers': centers, 'job-titles': titles, 'coparticipation-employee-share': coparticipation } = rule
  const primary = shareWords(t, rule['primary-employee-share'])
  const dependent = shareWords(t, rule['dependent-employee-share'])
  return [
    primary === dependent ? t('paysSame', { share: primary }) : t('pays', { primary, dependent }),
    coparticipation === null
      ? t('paysNoCoparticipation')
      : 'amount' in coparticipation
        ? t('paysCoparticipationAmount', { amount: formatMoney(coparticipation.amount) })
        : t('paysCoparticipation', {
            percent: numberFormat({ maximumFractionDigits: 2 }).format(coparticipation['basis-points'] / 100),
          }),
    product === null ? t('ofAllPlans') : t('ofPlan', { product }),
    ...(centers.length > 0 ? [t('ofCostCenters', { centers: centers.join(', ') })] : []),
    ...(titles.length > 0 ? [t('ofJobTitles', { titles: titles.join(', ') })] : []),
    t('since', { date: formatDate(rule['valid-from']) }),
  ].join(' ')
}
