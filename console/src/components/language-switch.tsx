import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { languages, startLanguage } from '../language/language.ts'

const names = { 'pt-BR': 'Português', en: 'English' }

export function LanguageSwitch() {
  const { t, i18n } = useTranslation('shell')
  return (
    <SegmentedControl
      aria-label={t('language')}
      size="xs"
      translate="no"
      value={i18n.language}
      onChange={(value) => void startLanguage(value as (typeof languages)[number])}
      data={languages.map((value) => ({ value, label: <span lang={value}>{names[value]}</span> }))}
    />
  )
}
