import { Group, Table, Text, Title } from '@mantine/core'
import type { Company, MemberDetail } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../components/date-field.tsx'
import { TextValue } from '../../components/value.tsx'
import { formatDate, saoPauloDay } from '../../format/date.ts'
import { formatNumber } from '../../format/number.ts'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { byStart, isInForce } from '../../entities/benefits/benefits.ts'

type Benefit = MemberDetail['benefits'][number]

/** What the person has, had and will have in the company, with what is in force on a day. */
export function PersonBenefits({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation(['hr', 'members', 'terms'])
  const today = saoPauloDay()
  const [day, setDay] = useState(today)
  const own = byStart(member.benefits.filter((benefit) => benefit['company-tax-id'] === company['tax-id']))
  const count = own.filter((benefit) => isInForce(benefit, day)).length
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('hr:benefits')}
      </Title>
      <Group align="flex-end" mb="xs">
        <DateField label={t('members:onDate')} value={day} onChange={(next) => setDay(next ?? today)} />
        <Text size="sm" role="status" pb={6}>
          {t('members:inForceOn', { count, formatted: formatNumber(count), date: formatDate(day) })}
        </Text>
      </Group>
      <div className="plain-table" role="region" aria-label={t('hr:benefits')} tabIndex={0}>
        <Table verticalSpacing={6} miw="44rem">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('members:product')}</Table.Th>
              <Table.Th>{t('members:carrier')}</Table.Th>
              <Table.Th>{t('members:role')}</Table.Th>
              <Table.Th>{t('members:status')}</Table.Th>
              <Table.Th>{t('members:cardNumber')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {own.map((benefit) => (
              <Table.Tr key={benefit['benefit-id']} fw={isInForce(benefit, day) ? 600 : 400}>
                <Table.Td>
                  <TextValue value={benefit['product-name']} />
                </Table.Td>
                <Table.Td>
                  <TextValue value={benefit['carrier-name']} />
                </Table.Td>
                <Table.Td>
                  {benefit['dependent-type'] === null
                    ? t(`terms:beneficiaryType.${benefit.type}`)
                    : t(`terms:dependentType.${benefit['dependent-type']}`)}
                </Table.Td>
                <Table.Td>
                  <BenefitStatusBadge status={benefit.status} /> <Period benefit={benefit} />
                </Table.Td>
                <Table.Td>
                  <TextValue value={benefit['card-number']} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
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
