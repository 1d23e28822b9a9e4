import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ContextLine } from '../../components/context-line.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { CpfValue } from '../../components/value.tsx'
import type { Member } from '../../entities/benefits/benefits.ts'
import { usePermission } from '../../session/use-permission.ts'

/** Who it is, in one line under the name. */
export function PersonalData({ member }: { readonly member: Member }) {
  const { t } = useTranslation('members')
  const isDisclosed = usePermission('discloseMember')
  const { 'tax-id': taxId, name: _title, ...others } = member.profile
  return (
    <>
      <ContextLine
        items={[
          <>
            {t('cpf')} <CpfValue value={taxId} />
          </>,
          ...Object.entries(others).map(
            ([name, value]) =>
              value !== null && (
                <>
                  <FieldName field={name} /> <FieldValue name={name} value={value} />
                </>
              ),
          ),
        ]}
      />
      <Text size="sm" c="dimmed" mb="xs">
        {t(isDisclosed ? 'disclosed' : 'masked')}
      </Text>
    </>
  )
}
