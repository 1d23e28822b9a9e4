import type { ButtonProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../components/link.tsx'
import { present } from '../../lists/search.ts'
import { usePermission } from '../../session/use-permission.ts'

/** Begins a movement of a person or a company, for who may request one. The key `n` does the same. */
export function NewMovementLink({
  company,
  person,
  ...button
}: Pick<ButtonProps, 'size' | 'variant'> & { readonly company?: string; readonly person?: string }) {
  const { t } = useTranslation('shell')
  const mayRequest = usePermission('includeMembersOfCompany')
  if (!mayRequest) return null
  return (
    <ButtonLink
      to="/movements/new"
      search={present({ company, person })}
      variant="default"
      aria-keyshortcuts="n"
      {...button}
    >
      {t('areas.newMovement')}
    </ButtonLink>
  )
}
