import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../components/badge.tsx'
import { TimestampValue } from '../../components/value.tsx'
import type { Account } from './accounts.ts'
import { SectionTitle } from '../../components/section-title.tsx'

/** The creation dates of the valid secrets, the current one first. @param props.onEndFormer absent where the role may not do it. */
export function SecretList(props: { readonly secrets: Account['secrets']; readonly onEndFormer?: () => void }) {
  const { t } = useTranslation('accounts')
  const newestFirst = props.secrets.toReversed()
  return (
    <>
      <SectionTitle mt="lg">{t('secrets')}</SectionTitle>
      <Stack gap="xs">
        {newestFirst.map((secret, index) => (
          <Group key={secret['created-at']} gap="sm">
            <Badge color={index === 0 ? 'green' : 'orange'}>
              {index === 0 ? t('currentSecret') : t('formerSecret')}
            </Badge>
            <Text size="sm">
              <TimestampValue value={secret['created-at']} />
            </Text>
            {index > 0 && props.onEndFormer !== undefined && (
              <Button size="xs" variant="default" onClick={props.onEndFormer}>
                {t('endFormer')}
              </Button>
            )}
          </Group>
        ))}
        {newestFirst.length > 1 && (
          <Text size="sm" c="dimmed" maw="48rem">
            {t('secretsExplanation')}
          </Text>
        )}
      </Stack>
    </>
  )
}
