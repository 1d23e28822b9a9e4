import { useTranslation } from 'react-i18next'
import type { terms } from '../language/en/terms.ts'
import { Badge, type BadgeColor } from './badge.tsx'

type Terms = typeof terms

/** A badge of a closed set of values, by their names among the terms. */
export const termBadge = <Term extends keyof Terms>(
  term: Term,
  colors: Readonly<Record<keyof Terms[Term], BadgeColor>>,
) =>
  function TermBadge({ status }: { readonly status: keyof Terms[Term] }) {
    const { t } = useTranslation('terms')
    return <Badge color={colors[status]}>{t(`${term}.${String(status)}` as never)}</Badge>
  }
