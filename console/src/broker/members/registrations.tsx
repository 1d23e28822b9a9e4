import { Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CompanyLink } from '../../entities/companies/company-label.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { companyNameOf, type Member } from '../../entities/benefits/benefits.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

/** What each company has of the person, but for what equals the personal data above. */
export function Registrations({ member }: { readonly member: Member }) {
  const { t } = useTranslation('members')
  const shown: Readonly<Record<string, unknown>> = member.profile
  return (
    <section>
      <SectionTitle>{t('registrations')}</SectionTitle>
      <Stack gap="lg">
        {member.registrations.map((registration) => {
          const company = registration['company-tax-id']
          const fields = Object.entries(registration).filter(
            ([name, value]) => name !== 'company-tax-id' && name !== 'tax-id' && shown[name] !== value,
          )
          return (
            <div key={company}>
              <Title order={3} size="h5" mb="xs">
                {t('inCompany')} <CompanyLink taxId={company} name={companyNameOf(member, company)} />
              </Title>
              {fields.length === 0 && <Text size="sm">{t('sameAsAbove')}</Text>}
              <FactList
                facts={fields.map(([name, value]) =>
                  fact(<FieldName field={name} />, <FieldValue name={name} value={value} />),
                )}
              />
            </div>
          )
        })}
      </Stack>
    </section>
  )
}
