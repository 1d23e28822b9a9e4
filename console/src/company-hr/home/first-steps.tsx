import { Paper, SimpleGrid, Text } from '@mantine/core'
import type { Company } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { RequestsUnderWay } from './panels.tsx'

/** How a company begins of which nobody is known. */
export function FirstSteps({ company }: { readonly company: Company }) {
  const { t } = useTranslation('hrHome')
  const mayInvite = usePermission('listOnboardingInvitations')
  const steps = [
    { to: '/hr/include', title: t('includeOne'), text: t('includeOneText') },
    { to: '/hr/spreadsheets', title: t('sendSheet'), text: t('sendSheetText') },
    ...(mayInvite ? [{ to: '/hr/onboarding', title: t('invite'), text: t('inviteText') } as const] : []),
  ] as const
  return (
    <>
      <SectionTitle>{t('firstTitle')}</SectionTitle>
      <Text size="sm" mb="md">
        {t('firstText')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" mb="md">
        {steps.map(({ to, title, text }) => (
          <Paper key={to} withBorder p="md">
            <TextLink to={to} fw={600} size="md">
              {title}
            </TextLink>
            <Text size="sm" mt={4}>
              {text}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <RequestsUnderWay company={company} />
    </>
  )
}
