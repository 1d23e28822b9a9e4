import { Button, Popover, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import IconUserCircle from 'icon:user-circle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../components/badge.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { ButtonLink } from '../components/link.tsx'
import { Value } from '../components/value.tsx'
import type { Session } from '../session/session.ts'
import { useSignOut } from './use-sign-out.ts'

/** Who is signed in, the language, the theme, and signing out. */
export function AccountMenu({ session }: { readonly session: Session }) {
  const { t } = useTranslation(['shell', 'terms'])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const [opened, setOpened] = useState(false)
  return (
    <Popover position="bottom-end" width={310} trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          maw={200}
          px={6}
          onClick={() => setOpened(!opened)}
        >
          <IconUserCircle size={18} stroke={1.6} aria-hidden />
          <span className="visually-hidden">{t('shell:account')} </span>
          <Text truncate size="sm" component="span" ml={6} visibleFrom="sm">
            <Value>{session.name}</Value>
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('shell:signedInAs')}</Text>
          <Text fw={600}>
            <Value>{session.name}</Value>
          </Text>
          <Badge color="blue">{t(`terms:role.${session.role}`)}</Badge>
          <LanguageSwitch />
          <SegmentedControl
            aria-label={t('shell:theme')}
            size="xs"
            value={colorScheme}
            onChange={(value) => setColorScheme(value)}
            data={[
              { value: 'light', label: t('shell:themeLight') },
              { value: 'dark', label: t('shell:themeDark') },
              { value: 'auto', label: t('shell:themeAuto') },
            ]}
          />
          <ButtonLink to="/account" fullWidth variant="default" onClick={() => setOpened(false)}>
            {t('shell:myAccount')}
          </ButtonLink>
          <Button fullWidth variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('shell:signOut')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
