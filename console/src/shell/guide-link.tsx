import { ActionIcon, Anchor, Popover, Stack, Text } from '@mantine/core'
import IconHelp from 'icon:help'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../language/language.ts'
import type { Area } from './areas.ts'
import { guideOf, hints } from './guides.ts'

/** Leads to the guide of an area, and says what the word of the area means where not everybody knows it. */
export function GuideLink({ area }: { readonly area: Area }) {
  const { t } = useTranslation('shell')
  const href = guideOf(area, currentLanguage())
  const hint = hints.find((name) => name === area.name)
  const icon = <IconHelp size={18} stroke={1.6} aria-hidden />
  const look = { variant: 'subtle', color: 'gray', size: 'md', className: 'no-print' } as const
  if (hint === undefined)
    return (
      <ActionIcon
        {...look}
        component="a"
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={t('guide')}
        title={t('guide')}
      >
        {icon}
      </ActionIcon>
    )
  return (
    <Popover width={320} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <ActionIcon {...look} aria-label={t('whatIsThis')} title={t('whatIsThis')}>
          {icon}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('whatIsThis')}>
        <Stack gap="xs">
          <Text size="sm">{t(`hints.${hint}`)}</Text>
          <Anchor size="sm" href={href} target="_blank" rel="noopener">
            {t('guide')}
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
