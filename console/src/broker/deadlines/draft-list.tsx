import { Button, Group, Text, TextInput } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { usePagedList } from '../../api/use-paged-list.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import type { Column } from '../../components/data-table.tsx'
import { TextLink } from '../../components/link.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { column, date, side, text } from '../../lists/columns.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { companyOf, DueList } from './due-list.tsx'
import type { ListProps } from './search.ts'

type Draft = Item<'listDraftExclusions'>
type Asked = { readonly draft: Draft; readonly act: 'confirm' | 'discard' }

const columnsOf = (
  t: TFunction<['deadlines', 'terms']>,
  onAsk: ((asked: Asked) => void) | null,
): readonly Column<Draft>[] => [
  date(t('deadlines:lastDay'), 'end-date', '9.5rem'),
  column(t('deadlines:beneficiary'), 'minmax(14rem, 2fr)', (one) => (
    <TextLink to="/members/$memberId" params={{ memberId: one['member-id'] }}>
      <Value>{one['member-name']}</Value>
    </TextLink>
  )),
  text(t('deadlines:company'), 'company-name'),
  text(t('deadlines:product'), 'product-name', '10rem'),
  column(t('deadlines:cause'), '13rem', (one) => t(`deadlines:causes.${one.cause}`)),
  ...(onAsk === null
    ? []
    : [
        side(t('deadlines:actions'), '12.5rem', (draft: Draft) => (
          <Group gap={4} wrap="nowrap">
            {(['confirm', 'discard'] as const).map((act) => (
              <Button
                key={act}
                size="compact-xs"
                variant="default"
                aria-label={t(`deadlines:actOf.${act}`, { name: draft['member-name'] })}
                translate="no"
                onClick={() => onAsk({ draft, act })}
              >
                <span translate="yes">{t(`deadlines:act.${act}`)}</span>
              </Button>
            ))}
          </Group>
        )),
      ]),
]

/** The exclusions that the clock proposes, and that an operator has to confirm or discard. */
export function DraftList({ search, onChange }: ListProps) {
  const { t } = useTranslation(['deadlines', 'terms'])
  const mayDecide = usePermission('confirmDraftExclusion')
  const [asked, setAsked] = useState<Asked | null>(null)
  const list = usePagedList('listDraftExclusions', {
    status: 'open',
    ...companyOf(search),
  })
  return (
    <>
      <DueList
        search={search}
        onChange={onChange}
        label={t('deadlines:views.drafts')}
        columns={columnsOf(t, mayDecide ? setAsked : null)}
        list={list}
        idOf={(one) => one['draft-id']}
        empty={t('deadlines:noDrafts')}
      />
      {asked !== null && <DraftDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

/** Asks before an exclusion is made of a draft, or why the benefit stays. */
function DraftDialog({ draft, act, onClose }: Asked & { readonly onClose: () => void }) {
  const { t } = useTranslation(['deadlines', 'terms'])
  const [reason, setReason] = useState('')
  const id = draft['draft-id']
  return (
    <ActDialog
      title={t(`deadlines:ask.${act}`)}
      action={t(`deadlines:act.${act}`)}
      isDestructive={act === 'confirm'}
      isDisabled={act === 'discard' && reason.trim() === ''}
      act={async () => {
        if (act === 'confirm') await api.draftExclusions.confirm(id)
        else await api.draftExclusions.discard(id, { reason: reason.trim() })
      }}
      done={t(`deadlines:decided.${act}`, { name: draft['member-name'] })}
      onClose={onClose}
    >
      <Text size="sm">
        <Value>{draft['member-name']}</Value> · <Value>{draft['product-name']}</Value> · {t('deadlines:lastDay')}:{' '}
        <DateValue value={draft['end-date']} />
      </Text>
      <Text size="sm">{t(`deadlines:explanation.${act}`)}</Text>
      {act === 'discard' && (
        <TextInput
          label={t('deadlines:stays')}
          required
          maxLength={500}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      )}
    </ActDialog>
  )
}
