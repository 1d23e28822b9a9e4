import { Stack } from '@mantine/core'
import type { Enrollment } from '@vigencia/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermission } from '../../session/use-permission.ts'
import { TimestampValue, Value } from '../../components/value.tsx'

/** Who requested it, and how it came to the broker. The contact and the evidence are in what operators read only. */
export function useIntakeFacts({
  'request-id': requestId,
  'requested-by': requestedBy,
  intake,
}: Pick<Enrollment, 'request-id' | 'requested-by' | 'intake'>): readonly (readonly [string, ReactNode])[] {
  const { t } = useTranslation('intake')
  const mayReadEvidence = usePermission('readRequestEvidence')
  const facts: [string, ReactNode][] = [[t('requestedBy'), t(`requesters.${requestedBy}`)]]
  if (intake === null) return facts
  const { 'requester-contact': contact = null, documents = [] } = intake
  const requester = [intake['requester-name'], contact].filter((one) => one !== null).join(' · ')
  facts.push([
    t('title'),
    <>
      {t(`media.${intake.medium}`)} · <TimestampValue value={intake['received-at']} />
    </>,
  ])
  if (requester !== '') facts.push([t('requester'), <Value key="requester">{requester}</Value>])
  if (documents.length > 0 && mayReadEvidence) {
    facts.push([t('evidence'), <Evidence key="evidence" requestId={requestId} documents={documents} />])
  }
  return facts
}

function Evidence({ requestId, documents }: { readonly requestId: string; readonly documents: readonly string[] }) {
  const { t } = useTranslation('intake')
  return (
    <Stack gap={4} align="flex-start">
      {documents.map((id, index) => (
        <a key={id} href={`/operator/v1/request/${requestId}/document/${id}`} download>
          {t('evidenceOf', { number: index + 1 })}
        </a>
      ))}
    </Stack>
  )
}
