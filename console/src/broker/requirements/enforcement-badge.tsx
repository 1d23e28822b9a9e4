import { useTranslation } from 'react-i18next'
import type { Enforcement } from '../../../../src/registry/rules/requirement.ts'
import { Badge, type BadgeColor } from '../../components/badge.tsx'

const colors: Readonly<Record<Enforcement, BadgeColor>> = { warning: 'gray', pending: 'orange', offense: 'red' }

/** What becomes of a movement without the document. */
export function EnforcementBadge({ value }: { readonly value: Enforcement }) {
  const { t } = useTranslation('requirements')
  return <Badge color={colors[value]}>{t(`enforcement.${value}`)}</Badge>
}
