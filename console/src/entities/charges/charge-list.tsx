import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMonth } from '../../format/month.ts'
import { type Charge, type ChargeLinks, idOf } from './charge.ts'
import { ChargeView } from './charge-view.tsx'

/** Why each of some amounts is what it is: that of one benefit, as a rule. */
export function ChargeList(props: {
  readonly charges: readonly Charge[]
  readonly month: string
  readonly links: ChargeLinks
}) {
  const { t } = useTranslation('charges')
  if (props.charges.length === 0) return <Text>{t('none', { month: formatMonth(props.month) })}</Text>
  return props.charges.map((charge) => <ChargeView key={idOf(charge)} charge={charge} links={props.links} />)
}
