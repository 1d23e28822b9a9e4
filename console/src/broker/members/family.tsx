import { Group, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { CompanyLabel } from '../../entities/companies/company-label.tsx'
import { TextValue } from '../../components/value.tsx'
import { companyNameOf, type Member } from '../../entities/benefits/benefits.ts'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { roleTerm } from '../../format/movement-type.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The others under the same primary, each with a link to its page. */
export function Family({ member }: { readonly member: Member }) {
  const { t } = useTranslation(['members', 'terms'])
  const { family } = member
  return (
    <section>
      <SectionTitle>{t('family')}</SectionTitle>
      {family.length === 0 && <Text size="sm">{t('noFamily')}</Text>}
      <List spacing={6} listStyleType="none" withPadding={false}>
        {family.map((relative) => {
          const { type, name, status, 'member-id': id, 'company-tax-id': company } = relative
          const relation = relative['dependent-type']
          return (
            <List.Item key={`${id} ${company} ${type} ${relation}`}>
              <Group gap="xs">
                <TextLink to="/members/$memberId" params={{ memberId: id }} size="md">
                  <TextValue value={name} />
                </TextLink>
                <Text size="sm">{t(roleTerm(type, relation))}</Text>
                <Text size="sm" c="dimmed">
                  <CompanyLabel taxId={company} name={companyNameOf(member, company)} />
                </Text>
                <BenefitStatusBadge status={status} />
              </Group>
            </List.Item>
          )
        })}
      </List>
    </section>
  )
}
