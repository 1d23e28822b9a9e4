import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery, useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { saveFile } from '../../components/save-file.ts'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { type DraftItem, isWaiting, type MovementDraft, waitingOf } from '../../entities/movement-drafts/draft.ts'
import { DraftFacts, DraftItems, useItemPage } from '../../entities/movement-drafts/draft-view.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { type DraftAct, DraftActDialog } from './draft-act-dialog.tsx'

const route = getRouteApi('/shell/drafts/$draftId')
const pollMilliseconds = 1_500

/** A movement draft: what is and what would be, and what an operator does with it. */
export function DraftPage() {
  const { t } = useTranslation('drafts')
  const { draftId } = route.useParams()
  const draft = useQuery({
    ...operationQuery('readAnyMovementDraft', { path: [draftId] }),
    refetchInterval: ({ state }) => (state.data?.result.status === 'requesting' ? pollMilliseconds : false),
  })
  return (
    <ObjectPage query={draft} title={t('draft')}>
      {({ result }) =>
        result.source === 'roster-sync' ? (
          <Navigate to="/rosters/$rosterSyncId" params={{ rosterSyncId: draftId }} replace />
        ) : (
          <DraftView draft={result} />
        )
      }
    </ObjectPage>
  )
}

interface Asked {
  readonly act: DraftAct
  /** undefined: all that wait. */
  readonly item?: DraftItem
}

function DraftView({ draft }: { readonly draft: MovementDraft }) {
  const { t } = useTranslation(['drafts', 'terms'])
  const { page, setPage, query } = useItemPage()
  const items = useOperation('listAnyMovementDraftItems', { path: [draft['draft-id']], query })
  const mayDecide = usePermission('confirmAnyMovementDraft') && waitingOf(draft) > 0
  const [asked, setAsked] = useState<Asked | null>(null)
  const company = (
    <TextLink to="/companies/$taxId" params={{ taxId: draft['company-tax-id'] }} size="md">
      <Value>{draft['company-name']}</Value>
    </TextLink>
  )
  return (
    <>
      <PageHeader
        title={
          <Value>
            {t('drafts:titleOne', {
              movement: draft.movement === null ? '' : t(`terms:type.${draft.movement}`),
              company: draft['company-name'],
            })}
          </Value>
        }
      >
        {mayDecide && <Acts onAsk={(act) => setAsked({ act })} />}
      </PageHeader>
      {draft.approval === 'second-operator' && <Alert mb="md">{t('drafts:secondOperator')}</Alert>}
      {draft['broken-reason'] !== null && (
        <Alert color="orange" mb="md">
          {t('drafts:broken')}
        </Alert>
      )}
      <DraftFacts draft={draft} company={company} />
      <Requests ids={draft['request-ids']} />
      <QueryView query={items}>
        {({ result, pagination }) => (
          <DraftItems
            items={result}
            total={pagination['total-items']}
            page={page}
            onPage={setPage}
            below={(item) => (
              <Below
                draft={draft}
                item={item}
                onAsk={mayDecide && pagination['total-items'] > 1 && isWaiting(item) ? setAsked : null}
              />
            )}
          />
        )}
      </QueryView>
      {asked !== null && <DraftActDialog draft={draft} {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function Acts({ onAsk, name }: { readonly onAsk: (act: DraftAct) => void; readonly name?: string }) {
  const { t } = useTranslation('drafts')
  return (
    <>
      {(['confirm', 'discard'] as const).map((act) => (
        <Button
          key={act}
          size={name === undefined ? 'sm' : 'compact-sm'}
          variant={act === 'confirm' && name === undefined ? 'filled' : 'default'}
          {...(name !== undefined && { 'aria-label': t(`actOf.${act}`, { name }), translate: 'no' as const })}
          onClick={() => onAsk(act)}
        >
          <span translate="yes">{t(name === undefined ? `act.${act}` : `actOne.${act}`)}</span>
        </Button>
      ))}
    </>
  )
}

/** What became of it. */
function Requests({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation('drafts')
  if (ids.length === 0) return null
  return (
    <Group mt="sm" gap="md">
      {ids.map((requestId, index) => (
        <TextLink key={requestId} to="/requests/$requestId" params={{ requestId }}>
          {t('openRequest', { number: index + 1 })}
        </TextLink>
      ))}
    </Group>
  )
}

function Below(props: {
  readonly draft: MovementDraft
  readonly item: DraftItem
  readonly onAsk: ((asked: Asked) => void) | null
}) {
  const { t } = useTranslation(['drafts', 'terms'])
  const { draft, item, onAsk } = props
  const read = async (document: DraftItem['documents'][number]) => {
    const download = await api.movementDrafts.document(draft['draft-id'], document['document-id'])
    saveFile(document.name, new Uint8Array(await download.bytes()), document['content-type'])
  }
  return (
    <Group mt="sm" gap="sm">
      {item['member-id'] !== null && (
        <TextLink to="/members/$memberId" params={{ memberId: item['member-id'] }}>
          {t('drafts:openPerson')}
        </TextLink>
      )}
      {item.documents.map((document) => (
        <Button key={document['document-id']} size="compact-sm" variant="subtle" onClick={() => void read(document)}>
          {t('drafts:download', { type: t(`terms:documentType.${document['document-type']}`) })}
        </Button>
      ))}
      {onAsk !== null && <Acts name={item.name ?? item['tax-id'] ?? ''} onAsk={(act) => onAsk({ act, item })} />}
    </Group>
  )
}
