import { Button, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PRICE_CATEGORIES, type PriceCategory } from '../../../../src/money/rules/price-table.ts'
import { numeric, plain, PlainTable, rowHeader } from '../../components/plain-table.tsx'
import { MoneyValue, NumberValue, Value } from '../../components/value.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { categoryName } from './category-name.ts'
import type { PriceFields } from './price-fields.ts'
import type { UnreadLine } from './price-values.ts'

/** The lines of a pasted table that are no price yet: each is given a band, or left out. */
export function UnreadLines({ form }: { readonly form: PriceFields }) {
  const { t } = useTranslation(['prices', 'charges'])
  const { unread, kind, prices } = form.values
  if (unread.length === 0) return null
  const without = ({ line }: UnreadLine) => unread.filter((one) => one.line !== line)
  const give = (one: UnreadLine, category: PriceCategory) =>
    form.setValues({
      unread: without(one),
      prices: prices.map((price) => (price.category === category ? { category, amount: one.amount } : price)),
    })
  return (
    <section>
      <SectionTitle>{t('prices:unread')}</SectionTitle>
      <PlainTable<UnreadLine>
        label={t('prices:unread')}
        items={unread}
        idOf={({ line }) => line}
        columns={[
          rowHeader(t('prices:line'), ({ line }) => <NumberValue value={line} />),
          plain(t('prices:asPasted'), ({ text }) => <Value>{text}</Value>),
          plain(t('prices:problem'), ({ isRepeated }) => (
            <Text size="sm" c="red">
              {t(isRepeated ? 'prices:repeated' : 'prices:unknownBand')}
            </Text>
          )),
          numeric(t('prices:amount'), ({ amount }) => <MoneyValue value={amount} />),
          plain(t('prices:isBand'), (one) => (
            <Select
              aria-label={t('prices:bandOfLine', { line: one.line })}
              placeholder={t('prices:chooseBand')}
              size="sm"
              value={null}
              error={Boolean(form.errors['unread'])}
              data={PRICE_CATEGORIES[kind].map((value) => ({ value, label: categoryName(t, value) }))}
              onChange={(value) => value !== null && give(one, value)}
            />
          )),
          plain(<span className="visually-hidden">{t('prices:actions')}</span>, (one) => (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={t('prices:leaveOutLine', { line: one.line })}
              onClick={() => form.setValues({ unread: without(one) })}
            >
              {t('prices:leaveOut')}
            </Button>
          )),
        ]}
      />
      {form.errors['unread'] !== undefined && (
        <Text role="alert" size="sm" c="red">
          {form.errors['unread']}
        </Text>
      )}
    </section>
  )
}
