import { Group, List, Text } from '@mantine/core'
import type { Company, MemberDetail } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextValue } from '../../components/value.tsx'
import { BenefitStatusBadge } from '../../entities/benefits/benefit-status.tsx'
import { TextLink } from '../../components/link.tsx'
import { roleTerm } from '../../format/movement-type.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The others under the same primary in the company. */
export function PersonFamily({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation(['hr', 'members', 'terms'])
  const family = member.family.filter((relative) => relative['company-tax-id'] === company['tax-id'])
  return (
    <section>
      <SectionTitle>{t('hr:family')}</SectionTitle>
      {family.length === 0 && <Text size="sm">{t('members:noFamily')}</Text>}
      <List spacing={6} listStyleType="none" withPadding={false}>
        {family.map((relative) => {
          const { type, name, status, 'member-id': memberId, 'dependent-type': relation } = relative
          return (
            <List.Item key={`${memberId} ${type} ${relation}`}>
              <Group gap="xs">
                <TextLink to="/hr/people/$memberId" params={{ memberId }}>
                  <TextValue value={name} />
                </TextLink>
                <Text size="sm">{t(roleTerm(type, relation))}</Text>
                <BenefitStatusBadge status={status} />
              </Group>
            </List.Item>
          )
        })}
      </List>
    </section>
  )
}
