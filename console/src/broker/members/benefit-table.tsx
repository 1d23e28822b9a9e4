import { Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { DateValue, TextValue } from '../../components/value.tsx'
import { formatDate } from '../../format/date.ts'
import { usePermission } from '../../session/use-permission.ts'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { type Benefit, certificateOf, companyNameOf, isInForce, type Member } from '../../entities/benefits/benefits.ts'
import { CorrectBenefitDialog } from '../../entities/benefits/correct-benefit-dialog.tsx'
import { EndBenefitDialog } from './end-benefit-dialog.tsx'

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
  const hasCertificate = benefits.some((benefit) => certificateOf(benefit) !== null)
  const [ending, setEnding] = useState<Benefit | null>(null)
  return (
    <>
      <div className="plain-table" role="region" aria-label={t('benefits')} tabIndex={0}>
        <Table verticalSpacing={6} miw="64rem">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('product')}</Table.Th>
              <Table.Th>{t('carrier')}</Table.Th>
              <Table.Th>{t('company')}</Table.Th>
              <Table.Th>{t('role')}</Table.Th>
              <Table.Th>{t('startDate')}</Table.Th>
              <Table.Th>{t('endDate')}</Table.Th>
              <Table.Th>{t('status')}</Table.Th>
              <Table.Th>{t('inForceHeader', { date: formatDate(on) })}</Table.Th>
              <Table.Th>{t('cardNumber')}</Table.Th>
              {hasCertificate && <Table.Th>{t('certificate')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {benefits.map((benefit) => (
              <Table.Tr key={benefit['benefit-id']}>
                <Table.Td>
                  <TextValue value={benefit['product-name']} />
                </Table.Td>
                <Table.Td>
                  <TextValue value={benefit['carrier-name']} />
                </Table.Td>
                <Table.Td>
                  <CompanyLink
                    taxId={benefit['company-tax-id']}
                    name={companyNameOf(member, benefit['company-tax-id'])}
                  />
                </Table.Td>
                <Table.Td>
                  {benefit['dependent-type'] === null
                    ? t(`terms:beneficiaryType.${benefit.type}`)
                    : t(`terms:dependentType.${benefit['dependent-type']}`)}
                </Table.Td>
                <Table.Td>
                  <DateValue value={benefit['start-date']} />
                </Table.Td>
                <Table.Td>
                  <DateValue value={benefit['end-date']} />
                </Table.Td>
                <Table.Td>
                  <BenefitStatusBadge status={benefit.status} />
                  {benefit['extension-plan'] && (
                    <>
                      <Text size="xs">{t('extensionPlan')}</Text>
                      {mayEnd && benefit.status === 'active' && (
                        <Button variant="default" size="compact-xs" onClick={() => setEnding(benefit)}>
                          {t('end')}
                        </Button>
                      )}
                    </>
                  )}
                </Table.Td>
                <Table.Td fw={isInForce(benefit, on) ? 700 : 400}>
                  {isInForce(benefit, on) ? t('states:yes') : t('states:no')}
                </Table.Td>
                <Table.Td>
                  <TextValue value={benefit['card-number']} />{' '}
                  {mayCorrect && benefit.status !== 'pending' && (
                    <Button variant="default" size="compact-xs" onClick={() => setCorrecting(benefit)}>
                      {t('review:correctTitle')}
                    </Button>
                  )}
                </Table.Td>
                {hasCertificate && (
                  <Table.Td>
                    <TextValue value={certificateOf(benefit)} />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {correcting !== null && <CorrectBenefitDialog benefit={correcting} onClose={() => setCorrecting(null)} />}
      {ending !== null && <EndBenefitDialog benefit={ending} onClose={() => setEnding(null)} />}
    </>
  )
}
