import { Alert, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MovementRequest } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { offenseText } from '../../components/offense-texts.ts'
import { Loading, QueryView } from '../../components/state-view.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Value } from '../../components/value.tsx'
import { formatCpf } from '../../format/tax-id.ts'
import { currentLanguage } from '../../language/language.ts'
import { companyQuery } from './client.ts'
import { SectionTitle } from '../../components/section-title.tsx'

const pollMilliseconds = 1_500

/**
 * What became of what was sent: followed until each part is a movement, or why it is none.
 * @param props.names of people by CPF.
 * @param props.children what can be done next.
 */
export function RequestOutcome(props: {
  readonly requestId: string
  readonly names: ReadonlyMap<string, string>
  readonly children?: ReactNode
}) {
  const { t } = useTranslation(['hr', 'request'])
  const query = useQuery({
    ...companyQuery('readRequest', { path: [props.requestId] }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? pollMilliseconds : false),
  })
  return (
    <QueryView query={query}>
      {(request) => (
        <Stack gap="md">
          <Alert
            color={request.status === 'completed' ? 'green' : request.status === 'processing' ? 'blue' : 'orange'}
            role="status"
            title={t('hr:sent')}
          >
            {t(request.status === 'processing' ? 'request:isProcessing' : `request:ended.${request.status}`)}
          </Alert>
          {request.status === 'processing' ? <Loading /> : <Parts request={request} names={props.names} />}
          <Group gap="xs">
            <ButtonLink to="/hr/requests" variant="default">
              {t('hr:allRequests')}
            </ButtonLink>
            {props.children}
          </Group>
        </Stack>
      )}
    </QueryView>
  )
}

function Parts({ request, names }: { readonly request: MovementRequest; readonly names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation('hr')
  return (
    <section>
      <SectionTitle>{t('movements')}</SectionTitle>
      <List listStyleType="none" spacing="xs" withPadding={false}>
        {Object.entries(request['status-by-tax-id']).flatMap(([taxId, parts]) =>
          Object.entries(parts).map(([product, part]) => (
            <List.Item key={`${taxId} ${product}`}>
              <Group gap="xs">
                <Value>
                  {names.get(taxId) ?? formatCpf(taxId)} · {product}
                </Value>
                {part['enrollment-status'] !== null && <StatusBadge status={part['enrollment-status']} />}
                {part['enrollment-id'] !== null && (
                  <OpenMovement enrollmentId={part['enrollment-id']} label={`${names.get(taxId) ?? ''} ${product}`} />
                )}
              </Group>
              {part.offenses !== undefined && (
                <Text size="sm">
                  <Value>
                    {part.offenses.map((one) => offenseText(one, request['request-type'], currentLanguage())).join(' ')}
                  </Value>
                </Text>
              )}
            </List.Item>
          )),
        )}
      </List>
    </section>
  )
}

function OpenMovement({ enrollmentId, label }: { readonly enrollmentId: string; readonly label: string }) {
  const { t } = useTranslation('hr')
  return (
    <TextLink to="/hr/pending/$enrollmentId" params={{ enrollmentId }} aria-label={t('openMovementOf', { label })}>
      {t('openMovement')}
    </TextLink>
  )
}
