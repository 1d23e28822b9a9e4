import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActDialog } from '../../components/act-dialog.tsx'
import { TextLink } from '../../components/link.tsx'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { companyApi, companyQuery, useCompanyOperation } from '../../entities/company-hr/client.ts'
import { type MovementDraft, waitingOf } from '../../entities/movement-drafts/draft.ts'
import { DraftFacts, DraftItems, useItemPage } from '../../entities/movement-drafts/draft-view.tsx'

const route = getRouteApi('/shell/hr/drafts/$draftId')
const pollMilliseconds = 15_000

/** What the company asks its broker for, and what became of it. */
export function DraftPage() {
  const { t } = useTranslation('drafts')
  const { draftId } = route.useParams()
  const draft = useQuery({
    ...companyQuery('readMovementDraft', { path: [draftId] }),
    refetchInterval: ({ state }) => (state.data?.result.status === 'closed' ? false : pollMilliseconds),
  })
  return (
    <ObjectPage query={draft} title={t('draft')}>
      {({ result }) =>
        result.source === 'roster-sync' ? (
          <Navigate to="/hr/rosters/$rosterSyncId" params={{ rosterSyncId: draftId }} replace />
        ) : (
          <DraftView draft={result} />
        )
      }
    </ObjectPage>
  )
}

function DraftView({ draft }: { readonly draft: MovementDraft }) {
  const { t } = useTranslation('drafts')
  const { page, setPage, query } = useItemPage()
  const items = useCompanyOperation('listMovementDraftItems', { path: [draft['draft-id']], query })
  const [isAsked, setAsked] = useState(false)
  const waits = waitingOf(draft) > 0
  return (
    <>
      <PageHeader title={t('ofBrokerOne')}>
        {waits && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {t('withdraw')}
          </Button>
        )}
      </PageHeader>
      {waits && (
        <Text size="sm" mb="md">
          {t('waitsForBroker')}
        </Text>
      )}
      <DraftFacts draft={draft} />
      <QueryView query={items}>
        {({ result, pagination }) => (
          <DraftItems
            items={result}
            total={pagination['total-items']}
            page={page}
            onPage={setPage}
            below={(item) =>
              item['request-id'] !== null && (
                <TextLink to="/hr/requests/$requestId" params={{ requestId: item['request-id'] }}>
                  {t('openItsRequest')}
                </TextLink>
              )
            }
          />
        )}
      </QueryView>
      {isAsked && (
        <ActDialog
          title={t('withdrawTitle')}
          action={t('withdraw')}
          isDestructive
          act={() => companyApi.movementDrafts.discard(draft['draft-id'], {})}
          done={t('withdrawn')}
          onClose={() => setAsked(false)}
        >
          <Text size="sm">{t('withdrawText')}</Text>
        </ActDialog>
      )}
    </>
  )
}
