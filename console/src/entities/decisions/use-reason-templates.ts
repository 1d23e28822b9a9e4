import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { builtInTemplates, type ReasonTemplate } from './templates.ts'

/** The reasons that the installation offers; until they are read, and where it has none of its own, those of the console. */
export function useReasonTemplates(): readonly ReasonTemplate[] {
  const { t } = useTranslation('decisions')
  return useOperation('readSettings').data?.result['reason-templates'] ?? builtInTemplates(t)
}
