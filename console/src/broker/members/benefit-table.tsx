import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { TextValue } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { type Benefit, certificateOf, companyNameOf, isInForce, type Member } from '../../entities/benefits/benefits.ts'
import { CorrectBenefitDialog } from '../../entities/benefits/correct-benefit-dialog.tsx'
import { EndBenefitDialog } from './end-benefit-dialog.tsx'
import { WhyBenefit } from './why-benefit.tsx'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { date, text } from '../../lists/columns.tsx'
import { roleTerm } from '../../format/movement-type.ts'

/** The benefits as text, with whether they are in force on the day. */
export function BenefitTable(props: {
  readonly member: Member
  readonly benefits: readonly Benefit[]
  readonly on: string
}) {
  const { member, benefits, on } = props
  const { t } = useTranslation(['members', 'terms', 'states', 'review'])
  const mayEnd = usePermission('endBenefit')
  const mayCorrect = usePermission('correctBenefit')
  const [correcting, setCorrecting] = useState<Benefit | null>(null)
  const [ending, setEnding] = useState<Benefit | null>(null)
  return (
    <>
      <PlainTable<Benefit>
        label={t('benefits')}
        miw="64rem"
        items={benefits}
        idOf={(benefit) => benefit['benefit-id']}
        columns={[
          plain(t('product'), (benefit) => (
            <>
              <TextValue value={benefit['product-name']} /> <WhyBenefit benefit={benefit} />
            </>
          )),
          text(t('carrier'), 'carrier-name'),
          plain(t('company'), ({ 'company-tax-id': taxId }) => (
            <CompanyLink taxId={taxId} name={companyNameOf(member, taxId)} />
          )),
          plain(t('role'), (benefit) => t(roleTerm(benefit.type, benefit['dependent-type']))),
          date(t('startDate'), 'start-date'),
          date(t('endDate'), 'end-date'),
          plain(t('status'), (benefit) => (
            <>
              <BenefitStatusBadge status={benefit.status} />
              {benefit['extension-plan'] && <Text size="xs">{t('extensionPlan')}</Text>}
              {benefit['extension-plan'] && mayEnd && benefit.status === 'active' && (
                <Button variant="default" size="compact-xs" onClick={() => setEnding(benefit)}>
                  {t('end')}
                </Button>
              )}
            </>
          )),
          plain(
            t('inForceHeader', { date: formatDate(on) }),
            (benefit) => t(isInForce(benefit, on) ? 'states:yes' : 'states:no'),
            (benefit) => ({ fw: isInForce(benefit, on) ? 700 : 400 }),
          ),
          plain(t('cardNumber'), (benefit) => (
            <>
              <TextValue value={benefit['card-number']} />{' '}
              {mayCorrect && benefit.status !== 'pending' && (
                <Button variant="default" size="compact-xs" onClick={() => setCorrecting(benefit)}>
                  {t('review:correctTitle')}
                </Button>
              )}
            </>
          )),
          benefits.some((benefit) => certificateOf(benefit) !== null) && text(t('certificate'), certificateOf),
        ]}
      />
      {correcting !== null && <CorrectBenefitDialog benefit={correcting} onClose={() => setCorrecting(null)} />}
      {ending !== null && <EndBenefitDialog benefit={ending} onClose={() => setEnding(null)} />}
    </>
  )
}
