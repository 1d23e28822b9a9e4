import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FactList, fact } from '../../components/fact-list.tsx'
import { CpfValue } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Member } from '../../entities/benefits/benefits.ts'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { SectionTitle } from '../../components/section-title.tsx'

/** Who it is. */
export function PersonalData({ member }: { readonly member: Member }) {
  const { t } = useTranslation('members')
  const isDisclosed = usePermission('discloseMember')
  const { 'tax-id': taxId, name: _title, ...others } = member.profile
  return (
    <section>
      <SectionTitle>{t('person')}</SectionTitle>
      <FactList
        facts={[
          fact(t('cpf'), <CpfValue value={taxId} />),
          ...Object.entries(others)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => fact(<FieldName field={name} />, <FieldValue name={name} value={value} />)),
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {t(isDisclosed ? 'disclosed' : 'masked')}
      </Text>
    </section>
  )
}
