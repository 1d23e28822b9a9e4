import { Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SignInForm } from './sign-in-form.tsx'

/** Over the page whose session has ended: signing in goes on where one was. */
export default function SessionEnded() {
  const { t } = useTranslation('session')
  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title={t('title')}>
      <Stack>
        <Text>{t('ended')}</Text>
        <SignInForm onSignedIn={() => {}} />
      </Stack>
    </Modal>
  )
}
