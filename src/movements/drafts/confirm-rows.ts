import type { LocalDate } from '#kernel/calendar.ts'
import type { DraftApproval, DraftClass, DraftMovement } from '#kernel/movement-drafts.ts'
import { LEAVING_CLASSES } from '#kernel/roster-syncs.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import type { DraftDifference } from '../rules/movement-draft.ts'
import { isContributory } from '../exclude/queries.ts'
import { isOverGuard } from '../roster-policy/queries.ts'

/** Which items an act is about, of those that are not decided. */
export interface Selection {
  /** null: of all classes. */
  readonly classes: readonly DraftClass[] | null
  /** By number, beside those of the classes. */
  readonly items: readonly number[]
  readonly except: readonly number[]
}

/** SQL: a `movement_draft_item` of the draft ($1, $2) is selected by the classes $3, the numbers $4 and the exceptions $5. */
const isSelected = `movement_draft_item.company_id = $1 and movement_draft_item.draft_id = $2
  and ($3::text[] is null or movement_draft_item.class = any($3::text[]) or movement_draft_item.number = any($4::int[]))
  and movement_draft_item.number <> all($5::int[])`

const selectionValues = ({ classes, items, except }: Selection) => [classes, items, except]

/** A draft can be confirmed for some time again; what was broken is mended. @param guardReason why many people leave. */
export async function setConfirmed(
  sql: Sql,
  companyId: string,
  draftId: string,
  expiresOn: LocalDate,
  guardReason: string | null,
): Promise<void> {
  await sql.execute(
    `update movement_draft set expires_on = $3, broken_reason = null, guard_reasons = guard_reasons || array_remove(array[$4::text], null)
     where company_id = $1 and id = $2`,
    [companyId, draftId, expiresOn, guardReason],
  )
}

export interface OpenItem {
  readonly number: number
  readonly class: DraftClass
  readonly movement: DraftMovement | null
  readonly approval: DraftApproval | null
  readonly decidedBy: string | null
  readonly needs: readonly string[]
  /** By id or CPF. */
  readonly person: string
  /** For an exclusion of a list. */
  readonly productId: string | null
}

const openItemColumns = `number, class, movement, approval, decided_by as "decidedBy", needs, coalesce(member_id::text, tax_id) as person,
  product_id as "productId"`

/** The selected items that wait for somebody; by their class not those that are confirmed by their number only. The draft is locked. */
export async function readOpenItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  selection: Selection,
): Promise<OpenItem[]> {
  return sql.query<OpenItem>(
    `select ${openItemColumns} from movement_draft_item
     where ${isSelected} and status in ('proposed', 'approval') and (not by_number_only or number = any($4::int[])) order by number`,
    [companyId, draftId, ...selectionValues(selection)],
  )
}

/** What is proposed of the classes and can be confirmed without anybody: nothing is missing, and no rule refuses it. */
export async function readAutomaticItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  classes: readonly DraftClass[],
): Promise<OpenItem[]> {
  return sql.query<OpenItem>(
    `select ${openItemColumns} from movement_draft_item
     where company_id = $1 and draft_id = $2 and class = any($3::text[]) and status = 'proposed' and not by_number_only and needs = '{}'
       and coalesce(offenses, '[]') = '[]' order by number`,
    [companyId, draftId, classes],
  )
}

export interface OpenEntry {
  readonly number: number
  readonly taxId: string
  readonly entry: Readonly<Record<string, unknown>>
  readonly differences: readonly DraftDifference[]
  /** For the exclusion of a primary: whether its contract is contributory, so that RN 488 asks for more. */
  readonly isContributory: boolean
}

/** The entries of items that wait for somebody. */
export async function readOpenEntries(
  sql: Sql,
  companyId: string,
  draftId: string,
  numbers: readonly number[],
): Promise<Map<number, OpenEntry>> {
  const rows = await sql.query<OpenEntry>(
    `select number, tax_id as "taxId", entry, differences,
       movement = 'exclusion' and exists (select 1 from benefit where benefit.company_id = $1 and benefit.member_id = movement_draft_item.member_id
         and benefit.product_id = movement_draft_item.product_id and benefit.status in ('pending', 'active') and ${isContributory('$1')}) as "isContributory"
     from movement_draft_item where company_id = $1 and draft_id = $2 and number = any($3::int[])`,
    [companyId, draftId, numbers],
  )
  return new Map(rows.map((row) => [row.number, row]))
}

/** Stores entries that have what they need. */
export async function fillItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  filled: readonly {
    readonly number: number
    readonly entry: object
    readonly differences: readonly DraftDifference[]
  }[],
): Promise<void> {
  if (filled.length === 0) return
  await sql.execute(
    `update movement_draft_item set entry = filled.entry, differences = filled.differences, needs = '{}'
     from json_to_recordset($3::json) as filled(number integer, entry jsonb, differences jsonb)
     where movement_draft_item.company_id = $1 and movement_draft_item.draft_id = $2 and movement_draft_item.number = filled.number`,
    [companyId, draftId, Records.of(filled)],
  )
}

/** SQL: a person of a `movement_draft_item`, once in a count. */
const person = 'coalesce(movement_draft_item.member_id::text, movement_draft_item.tax_id)'

/** SQL: a `movement_draft_item` is about somebody who leaves. */
const isLeaving = `movement_draft_item.class in (${LEAVING_CLASSES.map((one) => `'${one}'`).join()})`

/** SQL: how many people leave a product by items that meet the condition. @param draft the name of a `movement_draft`. */
export const leavingPeople = (
  draft: string,
  productId: string,
  condition: string,
) => `(select count(distinct ${person})::int from movement_draft_item
  where movement_draft_item.company_id = ${draft}.company_id and movement_draft_item.draft_id = ${draft}.id
    and ${isLeaving} and movement_draft_item.product_id = ${productId} and ${condition})`

export interface GuardedProduct {
  readonly 'product-id': string
  readonly 'product-name': string
  readonly covered: number
  readonly leaving: number
}

/** The products of a list which many people would have left, with these items. */
export async function readGuarded(
  sql: Sql,
  companyId: string,
  draftId: string,
  numbers: readonly number[],
): Promise<GuardedProduct[]> {
  const condition = `(movement_draft_item.status in ('approval', 'confirmed', 'requested') or movement_draft_item.number = any($3::int[]))`
  return sql.query<GuardedProduct>(
    `with product as materialized (
       select item->>'product-id' as "product-id", item->>'product-name' as "product-name", (item->>'covered')::int as covered,
         ${leavingPeople('movement_draft', `(item->>'product-id')::uuid`, condition)} as leaving
       from movement_draft cross join jsonb_array_elements(movement_draft.guard) with ordinality as guarded(item, place)
       where movement_draft.company_id = $1 and movement_draft.id = $2 order by place
     )
     select * from product where ${isOverGuard('$1', 'product.leaving', 'product.covered')}`,
    [companyId, draftId, numbers],
  )
}

/** Confirms items for a client. @param approval who else has to; null: nobody. */
export async function confirmItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  { clientId, origin }: ClientActor,
  numbers: readonly number[],
  approval: DraftApproval | null,
): Promise<void> {
  await sql.execute(
    `update movement_draft_item set status = case when $7::text is null then 'confirmed' else 'approval' end, approval = coalesce($7, approval),
       decided_by = $4, address = $5, request_trace_id = $6
     where company_id = $1 and draft_id = $2 and number = any($3::int[])`,
    [companyId, draftId, numbers, clientId, origin.address, origin.traceId, approval],
  )
}

/** Discards the selected items that wait for somebody. @returns how many. */
export async function discardItems(
  sql: Sql,
  companyId: string,
  draftId: string,
  clientId: string,
  selection: Selection,
  reason: string | null,
): Promise<number> {
  return sql.execute(
    `update movement_draft_item set status = 'discarded', approval = null, entry = null, decided_by = $6, address = null, request_trace_id = null,
       reason = $7
     where ${isSelected} and status in ('proposed', 'approval')`,
    [companyId, draftId, ...selectionValues(selection), clientId, reason],
  )
}
