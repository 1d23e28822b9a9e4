import { Group, Text } from '@mantine/core'
import type { Company, MemberDetail } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { TextLink } from '../../components/link.tsx'
import { monthOfCharge } from '../../entities/charges/month-of-charge.ts'
import { usePermission } from '../../session/use-permission.ts'
import { formatDate, businessDate } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { byStart, isInForce } from '../../entities/benefits/benefits.ts'
import { PlainTable, plain } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'
import { roleTerm } from '../../format/movement-type.ts'
import { SectionTitle } from '../../components/section-title.tsx'

type Benefit = MemberDetail['benefits'][number]

/** What the person has, had and will have in the company, with what is in force on a day. */
export function PersonBenefits({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation(['hr', 'members', 'terms', 'charges'])
  const seesMoney = usePermission('listInvoices')
  const today = businessDate()
  const [day, setDay] = useState(today)
  const own = byStart(member.benefits.filter((benefit) => benefit['company-tax-id'] === company['tax-id']))
  const count = own.filter((benefit) => isInForce(benefit, day)).length
  return (
    <section>
      <SectionTitle>{t('hr:benefits')}</SectionTitle>
      <Group align="flex-end" mb="xs">
        <DateField label={t('members:onDate')} value={day} onChange={(next) => setDay(next ?? today)} />
        <Text size="sm" role="status" pb={6}>
          {t('members:inForceOn', { count, formatted: formatNumber(count), date: formatDate(day) })}
        </Text>
      </Group>
      <PlainTable<Benefit>
        label={t('hr:benefits')}
        miw="44rem"
        items={own}
        idOf={(benefit) => benefit['benefit-id']}
        rowOf={(benefit) => ({ fw: isInForce(benefit, day) ? 600 : 400 })}
        columns={[
          text(t('members:product'), 'product-name'),
          text(t('members:carrier'), 'carrier-name'),
          plain(t('members:role'), (benefit) => t(roleTerm(benefit.type, benefit['dependent-type']))),
          plain(t('members:status'), (benefit) => (
            <>
              <BenefitStatusBadge status={benefit.status} /> <Period benefit={benefit} />
            </>
          )),
          text(t('members:cardNumber'), 'card-number'),
          seesMoney &&
            plain<Benefit>(t('charges:amount'), (benefit) => (
              <TextLink
                to="/hr/charges/$month/why"
                params={{ month: monthOfCharge(benefit) }}
                search={{ 'benefit-id': benefit['benefit-id'] }}
              >
                {t('charges:why')}
              </TextLink>
            )),
        ]}
      />
    </section>
  )
}

/** When it covers, in words. */
function Period({ benefit }: { readonly benefit: Benefit }) {
  const { t } = useTranslation('hr')
  const [start, end] = [formatDate(benefit['start-date']), benefit['end-date']]
  if (benefit.status === 'pending') return <span>{t('period.pending', { start })}</span>
  if (end === null) return <span>{t(benefit['extension-plan'] ? 'period.kept' : 'period.since', { start })}</span>
  return <span>{t('period.until', { start, end: formatDate(end) })}</span>
}
