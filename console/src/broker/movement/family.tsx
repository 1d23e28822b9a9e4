import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/link.tsx'
import { CpfValue, DateValue, Value } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { Section } from './section.tsx'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'
import { roleTerm } from '../../format/movement-type.ts'

const nowrap = { className: 'no-wrap' }

/** The benefits of the family in the company, the person included. */
export function Family({ movement }: { readonly movement: Movement }) {
  const { t } = useTranslation(['movement', 'terms'])
  const { family } = movement
  if (family.length === 0) return null
  const isThis = ({ benefit }: Movement['family'][number]) => benefit['benefit-id'] === movement['benefit-id']
  return (
    <Section title={t('movement:family')}>
      <PlainTable<Movement['family'][number]>
        label={t('movement:family')}
        className="family"
        verticalSpacing={4}
        box={{ role: 'group' }}
        items={family}
        idOf={({ benefit }) => benefit['benefit-id']}
        rowOf={(relative) => ({ 'data-current': isThis(relative) })}
        columns={[
          rowHeader(t('movement:name'), (relative) => (
            <>
              <TextLink to="/members/$memberId" params={{ memberId: relative['member-id'] }}>
                <Value>{relative.name}</Value>
              </TextLink>
              {isThis(relative) && <> ({t('movement:thisBenefit')})</>}
            </>
          )),
          plain(t('movement:cpf'), (relative) => <CpfValue value={relative['member-tax-id']} />, nowrap),
          plain(t('movement:role'), ({ benefit }) => t(roleTerm(benefit.type, benefit['dependent-type']))),
          text(t('movement:product'), ({ benefit }) => benefit['product-name']),
          plain(t('movement:benefitStatus'), ({ benefit }) => t(`terms:benefitStatus.${benefit.status}`)),
          plain(
            t('movement:coverage'),
            ({ benefit }) => (
              <>
                <DateValue value={benefit['start-date']} /> <Value>–</Value>{' '}
                {benefit['end-date'] !== null && <DateValue value={benefit['end-date']} />}
              </>
            ),
            nowrap,
          ),
          text(t('movement:cardNumber'), ({ benefit }) => benefit['card-number']),
        ]}
      />
    </Section>
  )
}
