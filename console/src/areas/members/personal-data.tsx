import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ErrorMessage } from '../../components/error-message.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { CpfValue } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import type { Member } from './benefits.ts'
import { FieldLabel, FieldValue } from './field-value.tsx'
import type { MemberDisclosure } from './use-member-disclosure.ts'

/** Stable, so that it runs once. */
const focusNow = (element: HTMLElement | null) => element?.focus()

/** Who it is. The CPF is masked until it is revealed, which the service records. */
export function PersonalData(props: { readonly member: Member; readonly disclosure: MemberDisclosure }) {
  const { t } = useTranslation('members')
  const { profile } = props.member
  const { 'tax-id': maskedTaxId, name: _title, ...others } = profile
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('person')}
      </Title>
      <FactList
        facts={[
          {
            key: 'tax-id',
            label: t('cpf'),
            value: <CpfValue value={props.disclosure.data?.['tax-id'] ?? maskedTaxId} />,
          },
          ...Object.entries(others)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => ({
              key: name,
              label: <FieldLabel name={name} />,
              value: <FieldValue name={name} value={value} />,
            })),
        ]}
      />
      <Reveal disclosure={props.disclosure} />
    </section>
  )
}

function Reveal({ disclosure }: { readonly disclosure: MemberDisclosure }) {
  const { t } = useTranslation('members')
  const isPermitted = usePermission('discloseMember')
  if (!isPermitted) {
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {t('revealNotPermitted')}
      </Text>
    )
  }
  if (disclosure.data !== undefined) {
    return (
      <Text size="sm" mt="sm" role="status" tabIndex={-1} ref={focusNow}>
        {t('revealed')}
      </Text>
    )
  }
  return (
    <Stack gap={4} mt="sm" align="flex-start" className="no-print">
      <Button
        variant="default"
        size="xs"
        loading={disclosure.isPending}
        aria-describedby="reveal-description"
        onClick={() => disclosure.mutate()}
      >
        {t('reveal')}
      </Button>
      <Text size="sm" c="dimmed" id="reveal-description">
        {t('revealDescription')}
      </Text>
      {disclosure.error !== null && <ErrorMessage error={disclosure.error} />}
    </Stack>
  )
}
