import { useQueries } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { CpfValue, DateValue, Value } from '../../components/value.tsx'
import { roleTerm, typeTerm } from '../../format/movement-type.ts'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'

const nowrap = { className: 'no-wrap' }

/** The people whose movements are asked for: one call each. */
const maxPeople = 8
const perPerson = 10

type Relative = Movement['family'][number]
type Other = Item<'listEnrollmentQueue'>

/** A benefit of the family with its other movements, or a movement whose benefit is not there any more. */
interface Row {
  readonly key: string
  readonly memberId: string
  readonly name: string
  readonly taxId: string | null
  readonly productName: string
  readonly benefit: Relative['benefit'] | null
  readonly movements: readonly Other[]
}

/** The benefits of the family in the company, the person included, each with its other movements. */
export function Family({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const rows = rowsOf(movement, useOthers(movement))
  if (rows.length === 0) return null
  const isThis = ({ benefit }: Row) => benefit?.['benefit-id'] === movement['benefit-id']
  return (
    <Section title={t('movement:family')}>
      <PlainTable<Row>
        label={t('movement:family')}
        className="family"
        verticalSpacing={4}
        box={{ role: 'group' }}
        items={rows}
        idOf={({ key }) => key}
        rowOf={(row) => ({ 'data-current': isThis(row) })}
        columns={[
          rowHeader(t('movement:name'), (row) => (
            <>
              <TextLink to="/members/$memberId" params={{ memberId: row.memberId }}>
                <Value>{row.name}</Value>
              </TextLink>
              {isThis(row) && <> ({t('movement:thisBenefit')})</>}
            </>
          )),
          plain(t('movement:cpf'), ({ taxId }) => <CpfValue value={taxId} />, nowrap),
          plain(
            t('movement:role'),
            ({ benefit }) => benefit !== null && t(roleTerm(benefit.type, benefit['dependent-type'])),
          ),
          plain(t('movement:product'), ({ productName }) => <Value>{productName}</Value>),
          plain(
            t('movement:benefitStatus'),
            ({ benefit }) => benefit !== null && t(`terms:benefitStatus.${benefit.status}`),
          ),
          plain(t('movement:coverage'), ({ benefit }) => benefit !== null && <Coverage benefit={benefit} />, nowrap),
          plain(t('movement:cardNumber'), ({ benefit }) => <Value>{benefit?.['card-number']}</Value>),
          rows.some(({ movements }) => movements.length > 0) &&
            plain<Row>(t('movement:others'), ({ movements }) => <Others movements={movements} />),
        ]}
      />
    </Section>
  )
}

function Coverage({ benefit }: { readonly benefit: Relative['benefit'] }) {
  const { 'start-date': start, 'end-date': end } = benefit
  if (start === null) return null
  return (
    <>
      <DateValue value={start} />
      {end !== null && (
        <>
          {' '}
          <Value>–</Value> <DateValue value={end} />
        </>
      )}
    </>
  )
}

function Others({ movements }: { readonly movements: readonly Other[] }) {
  const { t } = useTranslation(['movement', 'terms'])
  return movements.map((one) => (
    <div key={one.id} className="no-wrap">
      <TextLink to="/queue/$enrollmentId" params={{ enrollmentId: one.id }}>
        {t(typeTerm(one['enrollment-type'], one['alteration-kind']))}
      </TextLink>{' '}
      <StatusBadge status={one.status} />
    </div>
  ))
}

/** The other movements of the person and the family in the company. */
function useOthers(movement: Movement): readonly Other[] {
  const people = new Set([movement['member-id'], ...movement.family.map((relative) => relative['member-id'])])
  const query = { 'company-tax-id': movement['company-tax-id'], 'items-per-page': perPerson }
  return useQueries({
    queries: [...people]
      .slice(0, maxPeople)
      .map((memberId) => operationQuery('listEnrollmentQueue', { query: { ...query, 'member-id': memberId } })),
    combine: (lists) => lists.flatMap(({ data }) => data?.result ?? []).filter(({ id }) => id !== movement.id),
  })
}

function rowsOf({ family }: Movement, others: readonly Other[]): Row[] {
  const present = new Set(family.map(({ benefit }) => benefit['benefit-id']))
  return [
    ...family.map(({ benefit, name, 'member-id': memberId, 'member-tax-id': taxId }): Row => ({
      key: benefit['benefit-id'],
      memberId,
      name,
      taxId,
      productName: benefit['product-name'],
      benefit,
      movements: others.filter((one) => one['benefit-id'] === benefit['benefit-id']),
    })),
    ...others
      .filter((one) => !present.has(one['benefit-id']))
      .map((one): Row => ({
        key: one.id,
        memberId: one['member-id'],
        name: one['member-name'],
        taxId: one['member-tax-id'],
        productName: one['product-name'],
        benefit: null,
        movements: [one],
      })),
  ]
}
