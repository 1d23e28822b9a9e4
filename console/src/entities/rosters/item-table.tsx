import IconArrowRight from 'icon:arrow-right'
import { Checkbox, Text, UnstyledButton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldName } from '../../components/field-name.tsx'
import { FieldValue } from '../../components/field-value.tsx'
import { offenseText } from '../../components/offense-texts.ts'
import { plain, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { CpfValue, Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'
import { currentLanguage } from '../../language/language.ts'
import { type DraftItem, isWaiting } from '../movement-drafts/draft.ts'
import { DraftItemStatusBadge } from '../movement-drafts/status-badges.tsx'
import { written } from '../movement-forms/field-types.ts'
import { isInBulk, nameOf } from './classes.ts'
import { useRosterClient } from './client.ts'
import { type Given, lackingOf } from './given.ts'
import type { ItemsSelection } from './use-items-selection.ts'

interface Props {
  readonly label: string
  readonly items: readonly DraftItem[]
  /** The item that the keyboard is on. */
  readonly active: number | null
  readonly onActivate: (index: number) => void
  /** null: nothing can be decided. */
  readonly selection: ItemsSelection | null
  readonly given: Given
  readonly onFill: (item: DraftItem) => void
  readonly person: (memberId: string, name: string) => ReactNode
}

/** The items of a tab: who, what differs, and what is still to be given. Families are together. */
export function ItemTable(props: Props) {
  const { t } = useTranslation(['rosters', 'drafts'])
  const { label, items, active, onActivate, selection, given, onFill, person } = props
  return (
    <PlainTable<DraftItem>
      label={label}
      className="roster-items"
      items={items}
      idOf={({ number }) => number}
      rowOf={(item) => {
        const index = items.indexOf(item)
        return {
          'data-active': index === active,
          'data-number': item.number,
          style: { verticalAlign: 'top' },
          onClick: () => onActivate(index),
        }
      }}
      columns={[
        selection !== null &&
          plain(
            selection.hasPage ? (
              <Checkbox
                size="xs"
                aria-label={t('rosters:selectPage')}
                checked={selection.isPageSelected}
                onChange={selection.togglePage}
              />
            ) : (
              ''
            ),
            (item) => <SelectItem item={item} selection={selection} />,
          ),
        rowHeader(t('rosters:person'), (item) => <Person item={item} person={person} />),
        items.some((item) => item['product-name'] !== null) &&
          plain(t('rosters:product'), (item) => <Value>{item['product-name'] ?? ''}</Value>),
        items.some((item) => differencesOf(item).length > 0) &&
          plain(t('rosters:whatDiffers'), (item) => <Differences item={item} />),
        plain(t('rosters:remarks'), (item) => (
          <Remarks item={item} given={given} onFill={selection === null ? null : onFill} />
        )),
        plain(t('rosters:linesOfList'), (item) => (
          <Value>{item.lines.map((line) => formatNumber(line)).join(', ')}</Value>
        )),
        plain(t('drafts:status'), (item) => <Status item={item} />),
      ]}
    />
  )
}

function SelectItem({ item, selection }: { readonly item: DraftItem; readonly selection: ItemsSelection }) {
  const { t } = useTranslation('rosters')
  if (!isWaiting(item)) return null
  return (
    <input
      type="checkbox"
      aria-label={t('selectItem', { name: nameOf(item) })}
      translate="no"
      checked={selection.selected.has(item.number)}
      onChange={() => {}}
      onClick={(event: MouseEvent) => selection.toggle(item, event.shiftKey)}
    />
  )
}

function Person({ item, person }: { readonly item: DraftItem; readonly person: Props['person'] }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { 'member-id': memberId, 'employee-id': employeeId, 'member-type': type } = item
  return (
    <div className={type === 'dependent' ? 'roster-dependent' : undefined}>
      {memberId === null ? <Value>{item.name ?? ''}</Value> : person(memberId, nameOf(item))}
      <Text size="xs" c="dimmed">
        {item['tax-id'] !== null && <CpfValue value={item['tax-id']} />}
        {employeeId !== null && <Value> · {employeeId}</Value>}
        {type !== null && <> · {t(`terms:beneficiaryType.${type}`)}</>}
      </Text>
    </div>
  )
}

/** Without the product that begins or ends: that has a column of its own. */
const differencesOf = (item: DraftItem) =>
  item.differences.filter(
    ({ field, here, stated }) =>
      field !== 'product-name' || ![here ?? stated, stated ?? here].includes(item['product-name']),
  )

/** What is here, and what the list states, side by side. */
function Differences({ item }: { readonly item: DraftItem }) {
  const { t } = useTranslation('rosters')
  return differencesOf(item).map(({ field, here, stated }) => (
    <div key={field} className="roster-difference">
      <span className="roster-field">
        <FieldName field={field} />
      </span>
      {here !== null && (
        <del aria-label={t('here')}>
          <FieldValue name={field} value={here} />
        </del>
      )}
      {here !== null && <IconArrowRight size={14} aria-hidden />}
      {stated === null ? (
        <span>{t('nothing')}</span>
      ) : (
        <ins aria-label={t('stated')}>
          <FieldValue name={field} value={stated} />
        </ins>
      )}
    </div>
  ))
}

/** What explains it, what its movement would be refused for, and what is to be given. */
function Remarks(props: {
  readonly item: DraftItem
  readonly given: Given
  readonly onFill: ((item: DraftItem) => void) | null
}) {
  const { t } = useTranslation(['rosters', 'terms', 'drafts'])
  const { item, given, onFill } = props
  const lacking = lackingOf(item, given)
  const values = Object.entries(written(given.get(item.number) ?? {}))
  const canFill = onFill !== null && isWaiting(item) && item.movement !== null
  const ends = item['also-ends']
  return (
    <>
      {item.explanation !== null && <div>{t(`terms:rosterExplanation.${item.explanation}`)}</div>}
      {item.offenses.map((code) => (
        <div key={code}>{offenseWords(code, item, t)}</div>
      ))}
      {ends > 0 && <div>{t('rosters:alsoEnds', { count: ends, formatted: formatNumber(ends) })}</div>}
      {isWaiting(item) && !isInBulk(item) && <div>{t('rosters:oneByOne')}</div>}
      {item.reason !== null && (
        <div>
          {t('drafts:reason')}: <Value>{item.reason}</Value>
        </div>
      )}
      {values.map(([field, value]) => (
        <div key={field} className="roster-difference">
          <span className="roster-field">
            <FieldName field={field} />
          </span>
          <ins>
            <FieldValue name={field} value={value} />
          </ins>
        </div>
      ))}
      {isWaiting(item) && lacking.length > 0 && (
        <div className="roster-lacking">
          {t('rosters:lacking')}{' '}
          {lacking.map((field, index) => (
            <span key={field}>
              {index > 0 && ', '}
              <FieldName field={field} />
            </span>
          ))}
        </div>
      )}
      {canFill && (item.needs.length > 0 || values.length > 0) && (
        <UnstyledButton
          className="roster-fill"
          aria-label={t('rosters:fillOf', { name: nameOf(item) })}
          translate="no"
          onClick={() => onFill(item)}
        >
          <span translate="yes">{t('rosters:fill')}</span>
        </UnstyledButton>
      )}
    </>
  )
}

/** Why a line, or the movement of an item, is refused. */
export function offenseWords(
  code: DraftItem['offenses'][number],
  item: DraftItem,
  t: (key: 'rosters:conflictingLines' | 'drafts:changedMeanwhile') => string,
): string {
  if (code === 'changed-meanwhile') return t('drafts:changedMeanwhile')
  if (code === 'conflicting-lines') return t('rosters:conflictingLines')
  return offenseText(code, item.movement ?? 'inclusion', currentLanguage())
}

function Status({ item }: { readonly item: DraftItem }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { isBroker } = useRosterClient()
  return (
    <>
      <DraftItemStatusBadge status={item.status} />
      {item.approval !== null && item.status === 'approval' && (
        <Text size="xs" mt={2}>
          {item.approval === 'broker' && !isBroker
            ? t('rosters:waitsForYourBroker')
            : t('rosters:waitsFor', { who: t(`terms:draftApproval.${item.approval}`) })}
        </Text>
      )}
    </>
  )
}
