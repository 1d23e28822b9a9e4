import { useTranslation } from 'react-i18next'
import type { DocumentType } from '../../../../src/kernel/enums.ts'

/** Documents of which one is enough. */
export function DocumentWords({ types }: { readonly types: readonly DocumentType[] }) {
  const { t } = useTranslation(['requirements', 'terms'])
  return <>{types.map((type) => t(`terms:documentType.${type}`)).join(t('requirements:or'))}</>
}
