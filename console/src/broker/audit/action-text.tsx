import { useTranslation } from 'react-i18next'
import { Value } from '../../components/value.tsx'
import { knownAction } from '../../entities/audit/known-action.ts'

/** An action in words. */
export function ActionText({ action }: { readonly action: string }) {
  const { t } = useTranslation('audit')
  const known = knownAction(action)
  return known === undefined ? <Value>{action}</Value> : <>{t(`actions.${known}`)}</>
}
