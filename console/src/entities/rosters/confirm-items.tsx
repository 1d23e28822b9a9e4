import { Fieldset, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DraftClass } from '../../../../src/kernel/movement-drafts.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FieldName } from '../../components/field-name.tsx'
import { NoteField } from '../../components/note-field.tsx'
import { notifyDone } from '../../components/notify.ts'
import { plain, PlainTable, numeric, rowHeader } from '../../components/plain-table.tsx'
import { NumberValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import type { DraftItem, MovementDraft } from '../movement-drafts/draft.ts'
import type { Values } from '../movement-forms/field-types.ts'
import { RegistrationInput } from '../movement-forms/registration-input.tsx'
import { isConfirmable, nameOf } from './classes.ts'
import { useRosterClient } from './client.ts'
import { confirmedItem, exclusionFields, forAll, type Given, lackingOf } from './given.ts'

/** What is confirmed. */
export interface ToConfirm {
  readonly name: DraftClass
  /** null: all of the class. */
  readonly items: readonly DraftItem[] | null
  /** How many they are. */
  readonly count: number
}

type GuardedProduct = MovementDraft['guard'][number]
interface Guard {
  readonly people: number
  readonly products: readonly GuardedProduct[]
}
interface Lacking {
  readonly number: number
  readonly needs: readonly string[]
}

const guardOf = (error: unknown): Guard | null =>
  error instanceof ApiError && error.status === 409 && 'products' in (error.body as object)
    ? (error.body as unknown as Guard)
    : null

const lackingItemsOf = (error: unknown): readonly Lacking[] =>
  error instanceof ApiError && error.status === 400
    ? ((error.body as { readonly items?: readonly Lacking[] }).items ?? [])
    : []

/** What can be given for all items of a class. @param needs what they lack; null: it is not known. */
function fieldsForAll(name: DraftClass, needs: ReadonlySet<string> | null, values: Values): readonly string[] {
  const wanted = (field: string) => needs === null || needs.has(field)
  switch (name) {
    case 'exclusion':
      return wanted('end-date') || wanted('exclusion-reason')
        ? exclusionFields(values, ['end-date', 'exclusion-reason'].filter(wanted))
        : []
    case 'leaver':
      return wanted('exclusion-reason') ? exclusionFields(values, ['exclusion-reason']) : []
    case 'inclusion':
      return wanted('start-option') ? ['start-option'] : []
    case 'plan-change':
      return ['start-date']
    default:
      return []
  }
}

/** Asks before items are confirmed: fills what they lack, and wants the number of those who leave where they are many. */
export function ConfirmItems(props: {
  readonly draftId: string
  readonly asked: ToConfirm
  readonly given: Given
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { draftId, asked, given, onDone, onClose } = props
  const { isBroker, confirm } = useRosterClient()
  const queryClient = useQueryClient()
  const [values, setValues] = useState<Values>({})
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const items = asked.items?.filter((item) => isConfirmable(item, isBroker)) ?? null
  const known = new Map((items ?? []).map((item) => [item.number, item]))
  const needs = items === null ? null : new Set(items.flatMap((item) => lackingOf(item, given)))
  const fields = fieldsForAll(asked.name, needs, values)
  const act = useMutation({
    mutationFn: (guard: Guard | null) => {
      const shown = Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)))
      return confirm(draftId, {
        ...(items === null ? { classes: [asked.name] } : { items: items.map((item) => confirmedItem(item, given)) }),
        ...forAll(shown),
        ...(guard !== null && { guard: { people: Number(typed), reason: reason.trim() } }),
      })
    },
    onSuccess: () => {
      notifyDone(t('rosters:confirmed', { count: asked.count, formatted: formatNumber(asked.count) }))
      onDone()
      onClose()
      void queryClient.invalidateQueries()
    },
  })
  const [guard, setGuard] = useState<Guard | null>(null)
  const lacking = lackingItemsOf(act.error)
  const isGuardOnly = guardOf(act.error) !== null && act.variables === null
  const isReady = guard === null || (/^\d+$/.test(typed.trim()) && reason.trim() !== '')
  return (
    <ConfirmDialog
      title={t('rosters:confirmTitle', { count: asked.count, formatted: formatNumber(asked.count) })}
      size="lg"
      action={t('drafts:actOne.confirm')}
      isPending={act.isPending}
      isDisabled={!isReady}
      error={isGuardOnly || lacking.length > 0 ? null : act.error}
      onConfirm={() => act.mutate(guard, { onError: (error) => setGuard((former) => guardOf(error) ?? former) })}
      onClose={onClose}
    >
      <Text size="sm">{t(`rosters:asks.${asked.name}` as 'rosters:asks.inclusion')}</Text>
      {!isBroker && isAltering(asked.name) && <Text size="sm">{t('rosters:brokerMayApprove')}</Text>}
      {items === null && <Text size="sm">{t('rosters:withoutByNumber')}</Text>}
      {fields.length > 0 && (
        <Fieldset legend={t('rosters:fillForAll')}>
          <Text size="sm" c="dimmed" mb="xs">
            {t('rosters:fillHelp')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
            {fields.map((field) => (
              <RegistrationInput
                key={field}
                name={field}
                value={values[field] ?? null}
                onChange={(value) => setValues((former) => ({ ...former, [field]: value }))}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
      {lacking.length > 0 && <LackingList lacking={lacking} known={known} />}
      {guard !== null && (
        <GuardFields guard={guard} typed={typed} reason={reason} onTyped={setTyped} onReason={setReason} />
      )}
    </ConfirmDialog>
  )
}

const isAltering = (name: DraftClass) => name === 'correction' || name === 'plan-change' || name === 'tax-id-correction'

function LackingList(props: { readonly lacking: readonly Lacking[]; readonly known: ReadonlyMap<number, DraftItem> }) {
  const { t } = useTranslation('rosters')
  return (
    <div role="alert">
      <Text size="sm" fw={600}>
        {t('stillLacking', { count: props.lacking.length, formatted: formatNumber(props.lacking.length) })}
      </Text>
      <List size="sm">
        {props.lacking.map(({ number, needs }) => {
          const item = props.known.get(number)
          return (
            <List.Item key={number}>
              <Value>{item === undefined ? number : nameOf(item)}</Value>:{' '}
              {needs.map((need, index) => (
                <span key={need}>
                  {index > 0 && ', '}
                  <FieldName field={need} />
                </span>
              ))}
            </List.Item>
          )
        })}
      </List>
    </div>
  )
}

/** More people than usual leave: who confirms types how many, and says why. */
function GuardFields(props: {
  readonly guard: Guard
  readonly typed: string
  readonly reason: string
  readonly onTyped: (text: string) => void
  readonly onReason: (text: string) => void
}) {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { guard, typed, reason, onTyped, onReason } = props
  const number = formatNumber(guard.people)
  const isWrong = typed.trim() !== '' && Number(typed) !== guard.people
  return (
    <Fieldset legend={t('rosters:guardTitle')}>
      <Stack gap="sm">
        <Text size="sm" role="alert">
          {t('rosters:guardText', { count: guard.people, formatted: number })}
        </Text>
        <GuardTable products={guard.products} isOver />
        <TextInput
          label={t('rosters:guardPeople', { number })}
          required
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          error={isWrong ? t('rosters:guardWrong') : undefined}
          onChange={({ currentTarget: { value } }) => onTyped(value)}
        />
        <NoteField label={t('drafts:reason')} required maxLength={500} value={reason} onChange={onReason} />
      </Stack>
    </Fieldset>
  )
}

/** The products of a list, with how many people they cover and how many leave. @param props.isOver they are only those that more leave than usual. */
export function GuardTable(props: { readonly products: readonly GuardedProduct[]; readonly isOver?: boolean }) {
  const { products, isOver = false } = props
  const { t } = useTranslation('rosters')
  return (
    <PlainTable<GuardedProduct>
      label={t('leavingOf')}
      verticalSpacing={4}
      items={products}
      idOf={(product) => product['product-id']}
      columns={[
        rowHeader(t('product'), (product) => <Value>{product['product-name']}</Value>),
        numeric(t('covered'), ({ covered }) => <NumberValue value={covered} />),
        numeric(t('leaving'), ({ leaving }) => <NumberValue value={leaving} />),
        !isOver && plain(t('guard'), (product) => (product['is-over'] ? t('isOver') : t('isUsual'))),
      ]}
    />
  )
}
