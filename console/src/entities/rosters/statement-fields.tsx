import { Group, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ROSTER_STATES, type RosterState } from '../../../../src/kernel/roster-syncs.ts'

/** What was answered to the sentences about a list. */
export type Statements = Readonly<Partial<Record<RosterState, boolean>>>

/** Those that are true; null: one is not answered. */
export function statesOf(statements: Statements): readonly RosterState[] | null {
  const isAnswered = ROSTER_STATES.every((state) => statements[state] !== undefined)
  return isAnswered ? ROSTER_STATES.filter((state) => statements[state]) : null
}

/** In what the list is complete: three sentences, each of which is true or not. */
export function StatementFields(props: {
  readonly statements: Statements
  /** Whether those without an answer are marked. */
  readonly isTried: boolean
  readonly onChange: (statements: Statements) => void
}) {
  const { t } = useTranslation('rosters')
  const { statements, isTried, onChange } = props
  return (
    <Stack gap="sm">
      {ROSTER_STATES.map((state) => {
        const answer = statements[state]
        return (
          <Radio.Group
            key={state}
            label={t(`statement.${state}`)}
            description={t(`follows.${state}`)}
            withAsterisk
            error={isTried && answer === undefined ? t('answer') : undefined}
            value={answer === undefined ? null : String(answer)}
            onChange={(value) => onChange({ ...statements, [state]: value === 'true' })}
          >
            <Group gap="md" mt={4}>
              <Radio value="true" label={t('yes')} />
              <Radio value="false" label={t('no')} />
            </Group>
          </Radio.Group>
        )
      })}
    </Stack>
  )
}
