import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { employerOf, type Member } from '../../entities/benefits/benefits.ts'
import { usePermission } from '../../session/use-permission.ts'

/** The way to what is left to deduct from an employee. */
export function FinalBalanceLink({ member }: { readonly member: Member }) {
  const { t } = useTranslation('payroll')
  const mayRead = usePermission('readFinalBalance')
  const taxId = employerOf(member)
  if (!mayRead || taxId === null) return null
  return (
    <ButtonLink to="/payroll/$taxId/leavers" params={{ taxId }} search={{ 'member-id': member.id }} variant="default">
      {t('leaving.ofPerson')}
    </ButtonLink>
  )
}
