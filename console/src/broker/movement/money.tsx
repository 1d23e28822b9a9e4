import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateValue, MoneyValue } from '../../components/value.tsx'
import type { Movement } from './comparison.ts'
import { Fact } from './facts.tsx'
import { Section } from './section.tsx'

/** What the movement costs if it misses the next cut-off. */
export function Money({ movement: { money } }: { readonly movement: Movement }) {
  const { t } = useTranslation('atRisk')
  if (money === null) return null
  const { 'window-until': until, 'uncovered-days-if-missed': days } = money
  const amounts = [
    [t('perMonth'), money['per-month']],
    [t('chargedBeyondEnd'), money['charged-beyond-end']],
    [t('ifMissed'), money['if-missed']],
    [t('lost'), money.lost],
    [t('lostIfMissed'), money['lost-if-missed']],
  ] as const
  return (
    <Section title={t('title')}>
      <dl className="facts">
        {amounts.map(
          ([label, amount]) =>
            amount !== null && (
              <Fact key={label} label={label}>
                <MoneyValue value={amount} />
              </Fact>
            ),
        )}
        {days !== null && <Fact label={t('uncovered')}>{t('days', { count: days })}</Fact>}
        <Fact label={t('cutOff')}>
          <DateValue value={money['cut-off-date']} />
        </Fact>
        {until !== null && (
          <Fact label={t('windowUntil')}>
            <DateValue value={until} />
          </Fact>
        )}
        <Fact label={t('asOf')}>
          <DateValue value={money['as-of']} />
        </Fact>
      </dl>
      {money['missing-settings'].map((name) => (
        <Text size="xs" c="dimmed" mt={4} key={name}>
          {t(`missing.${name as 'retroactive-inclusion'}`)}
        </Text>
      ))}
    </Section>
  )
}
