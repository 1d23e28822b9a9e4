import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'

/** Where more is known of the person: the member, and who saw the data. */
export function PersonLinks({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('personalData')
  const { data } = useOperation('searchMembers', { query: { 'tax-id': taxId, 'include-inactive': true } })
  const member = data?.result[0]
  if (member === undefined) return null
  const params = { memberId: member.id }
  return (
    <Group mt="md">
      <Anchor size="sm" renderRoot={(props) => <Link to="/members/$memberId" params={params} {...props} />}>
        {t('seeMember')}
      </Anchor>
      <Anchor size="sm" renderRoot={(props) => <Link to="/members/$memberId/disclosures" params={params} {...props} />}>
        {t('whoSaw')}
      </Anchor>
    </Group>
  )
}
