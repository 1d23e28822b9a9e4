import { Alert, Button, CopyButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Company, MemberDetail } from '@vigencia/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../components/state-view.tsx'
import { signInOptionsQuery } from '../../session/sign-in-options.ts'

/** The form of an alteration, which the interface has in staging only; in production what to do instead. */
export function WhereAltered(props: {
  readonly member: MemberDetail
  readonly company: Company
  readonly children: ReactNode
}) {
  const query = useQuery(signInOptionsQuery)
  return (
    <QueryView query={query}>
      {({ environment }) =>
        environment === 'staging' ? props.children : <Note member={props.member} company={props.company} />
      }
    </QueryView>
  )
}

/** A text for the broker, who has the link to the person. It has no CPF: it leaves the service. */
function Note({ member, company }: { readonly member: MemberDetail; readonly company: Company }) {
  const { t } = useTranslation('hr')
  const [what, setWhat] = useState('')
  const link = `${location.origin}/console/members/${member.id}`
  const text = [`${member.profile.name} · ${company.name}`, what.trim(), link].join('\n')
  return (
    <Alert color="blue" variant="default" title={t('notInProduction')} maw="40rem">
      <Stack gap="sm">
        <Text size="sm">{t('notInProductionText')}</Text>
        <Textarea
          label={t('whatToChange')}
          autosize
          minRows={3}
          value={what}
          onChange={({ currentTarget: { value } }) => setWhat(value)}
        />
        <CopyButton value={text} timeout={3_000}>
          {({ copied, copy }) => (
            <Group>
              <Button disabled={what.trim() === ''} onClick={copy}>
                {t(copied ? 'noteCopied' : 'copyNote')}
              </Button>
            </Group>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  )
}
