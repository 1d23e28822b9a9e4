import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { CpfValue, DateValue, TextValue, Value } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

/** The benefits of the family in the company, the person included. */
export function Family({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const { family } = movement
  if (family.length === 0) return null
  return (
    <Section title={t('movement:family')}>
      <div className="movement-scroller" tabIndex={0} role="group" aria-label={t('movement:family')}>
        <Table verticalSpacing={4} className="family">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('movement:name')}</Table.Th>
              <Table.Th>{t('movement:cpf')}</Table.Th>
              <Table.Th>{t('movement:role')}</Table.Th>
              <Table.Th>{t('movement:product')}</Table.Th>
              <Table.Th>{t('movement:benefitStatus')}</Table.Th>
              <Table.Th>{t('movement:coverage')}</Table.Th>
              <Table.Th>{t('movement:cardNumber')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {family.map(({ 'member-id': memberId, 'member-tax-id': taxId, name, benefit }) => {
              const relation = benefit['dependent-type']
              return (
                <Table.Tr key={benefit['benefit-id']} data-current={benefit['benefit-id'] === movement['benefit-id']}>
                  <Table.Th scope="row">
                    <TextLink to="/members/$memberId" params={{ memberId }}>
                      <Value>{name}</Value>
                    </TextLink>
                    {benefit['benefit-id'] === movement['benefit-id'] && <> ({t('movement:thisBenefit')})</>}
                  </Table.Th>
                  <Table.Td className="no-wrap">
                    <CpfValue value={taxId} />
                  </Table.Td>
                  <Table.Td>
                    {relation === null
                      ? t(`terms:beneficiaryType.${benefit.type}`)
                      : t(`terms:dependentType.${relation}`)}
                  </Table.Td>
                  <Table.Td>
                    <Value>{benefit['product-name']}</Value>
                  </Table.Td>
                  <Table.Td>{t(`terms:benefitStatus.${benefit.status}`)}</Table.Td>
                  <Table.Td className="no-wrap">
                    <DateValue value={benefit['start-date']} /> <Value>–</Value>{' '}
                    {benefit['end-date'] !== null && <DateValue value={benefit['end-date']} />}
                  </Table.Td>
                  <Table.Td>
                    <TextValue value={benefit['card-number']} />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  )
}
