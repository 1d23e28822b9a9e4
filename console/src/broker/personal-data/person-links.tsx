import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'

/** Where more is known of the person: the member, and who saw the data. */
export function PersonLinks({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('personalData')
  const { data } = useOperation('searchMembers', { query: { 'tax-id': taxId, 'include-inactive': true } })
  const member = data?.result[0]
  if (member === undefined) return null
  const params = { memberId: member.id }
  return (
    <Group mt="md">
      <TextLink to="/members/$memberId" params={params}>
        {t('seeMember')}
      </TextLink>
      <TextLink to="/members/$memberId/disclosures" params={params}>
        {t('whoSaw')}
      </TextLink>
    </Group>
  )
}
