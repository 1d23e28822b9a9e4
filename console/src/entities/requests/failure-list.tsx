import { List } from '@mantine/core'
import type { ReactNode } from 'react'
import { offenseText } from '../../components/offense-texts.ts'
import { Value } from '../../components/value.tsx'
import { currentLanguage } from '../../language/language.ts'
import { offenseCounts, type Part } from './parts.ts'

/** Why parts failed, in whole sentences, the most frequent reason first. @param props.whose the parts that failed for it. */
export function FailureList(props: {
  readonly parts: readonly Part[]
  readonly requestType: string
  readonly whose: (offense: string, count: number) => ReactNode
}) {
  const { parts, requestType, whose } = props
  return (
    <List size="sm" spacing={6}>
      {offenseCounts(parts).map(([offense, count]) => (
        <List.Item key={offense}>
          <Value>{offenseText(offense, requestType, currentLanguage())}</Value> {whose(offense, count)}
        </List.Item>
      ))}
    </List>
  )
}
