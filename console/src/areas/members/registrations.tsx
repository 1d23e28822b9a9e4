import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FactList } from '../../components/fact-list.tsx'
import { CnpjValue } from '../../components/value.tsx'
import type { Member } from './benefits.ts'
import { FieldLabel, FieldValue } from './field-value.tsx'
import type { Disclosed } from './use-member-disclosure.ts'

/** What each company has of the person, but for what equals the personal data above. */
export function Registrations({
  member,
  disclosed,
}: {
  readonly member: Member
  readonly disclosed: Disclosed | undefined
}) {
  const { t } = useTranslation('members')
  const shown: Readonly<Record<string, unknown>> = member.profile
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('registrations')}
      </Title>
      <Stack gap="lg">
        {member.registrations.map((registration) => {
          const company = registration['company-tax-id']
          const revealed = disclosed?.registrations.find((one) => one['company-tax-id'] === company)
          const fields = Object.entries({ ...registration, ...revealed }).filter(
            ([name, value]) => name !== 'company-tax-id' && name !== 'tax-id' && shown[name] !== value,
          )
          return (
            <div key={company}>
              <Title order={3} size="h5" mb="xs">
                {t('inCompany')}{' '}
                <Anchor
                  inherit
                  renderRoot={(props) => <Link to="/companies/$taxId" params={{ taxId: company }} {...props} />}
                >
                  <CnpjValue value={company} />
                </Anchor>
              </Title>
              {fields.length === 0 && <Text size="sm">{t('sameAsAbove')}</Text>}
              <FactList
                facts={fields.map(([name, value]) => ({
                  key: name,
                  label: <FieldLabel name={name} />,
                  value: <FieldValue name={name} value={value} />,
                }))}
              />
            </div>
          )
        })}
      </Stack>
    </section>
  )
}
