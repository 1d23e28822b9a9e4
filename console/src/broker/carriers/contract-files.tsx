import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { FactList, fact } from '../../components/fact-list.tsx'
import { TextLink } from '../../components/link.tsx'
import { Absent, TextValue, Value } from '../../components/value.tsx'
import { carrierDirections } from '../../entities/layouts/layout.ts'
import type { Contract } from './contract-values.ts'
import { layoutName } from '../../entities/layouts/built-in-words.ts'
import { PlainTable, plain, rowHeader } from '../../components/plain-table.tsx'
import { text } from '../../lists/columns.tsx'

/** The layouts of the files of a contract. */
export function ContractLayouts({ layouts }: { readonly layouts: Contract['layouts'] }) {
  const { t } = useTranslation(['layouts', 'carriers'])
  const known = useOperation('listLayouts', { query: { 'items-per-page': 500 } }).data?.result ?? []
  return (
    <FactList
      facts={carrierDirections.map((direction) => {
        const id = layouts[direction]
        const layout = known.find((one) => one['layout-id'] === id)
        const name = layout === undefined ? id : layoutName(layout)
        return fact(
          t(`layouts:directions.${direction}`),
          id === null && direction === 'movement' ? (
            t('carriers:genericLayout')
          ) : id === null ? (
            <Absent />
          ) : (
            <TextLink to="/carriers/layouts/$layoutId" params={{ layoutId: id }} size="md">
              <TextValue value={name} />
            </TextLink>
          ),
        )
      })}
    />
  )
}

/** What the codes of the carrier's refusals ask for. */
export function CodeMap({ contract }: { readonly contract: Contract }) {
  const { t } = useTranslation(['carriers', 'terms'])
  const meanings = contract['code-map']
  if (meanings.length === 0) return <Text size="sm">{t('carriers:noCodes')}</Text>
  return (
    <PlainTable<Contract['code-map'][number]>
      label={t('carriers:codeMap')}
      items={meanings}
      idOf={({ code }) => code}
      columns={[
        rowHeader(t('carriers:form.code'), ({ code }) => <Value>{code}</Value>),
        plain(t('carriers:form.codeStatus'), ({ status }) => t(`terms:status.${status}`)),
        text(t('carriers:asked'), ({ 'pending-items': items = [] }) => items.map(({ message }) => message).join(', ')),
        text(t('carriers:form.codeReason'), 'reason'),
      ]}
    />
  )
}
