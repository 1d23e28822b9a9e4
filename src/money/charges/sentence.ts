import { businessDate, type LocalDate } from '#kernel/calendar.ts'
import { inSentence } from '#kernel/texts/in-sentence.ts'
import type { PORTUGUESE } from '#kernel/texts/texts.ts'
import { type Language, TEXTS } from '#kernel/texts/texts.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { type ChargeMonth, type ChargeTerm, sumOf } from '../rules/charge-terms.ts'
import type { ChargedBenefitFacts } from './queries.ts'

/** The sentence that says why a charge is what it is, from the texts of the language. */
export class ChargeSentences {
  readonly #language: Language

  constructor(language: Language) {
    this.#language = language
  }

  /** For a benefit in the invoice of a month. */
  ofBenefit(
    months: readonly ChargeMonth[],
    month: Month,
    { discrepancies }: Pick<ChargedBenefitFacts, 'discrepancies'>,
    movement: ChargedBenefitFacts['began'],
  ): string {
    const own = months.find((one) => one.month === month)
    const earlier = months.filter((one) => one.month !== month && one.amount !== 0)
    const parts = earlier.map((one) => this.#partOf(one)).join('; ')
    const difference = termsOf(months, 'difference')
    return [
      ...(own === undefined ? [] : this.#ownMonth(own)),
      ...(parts === '' ? [] : [this.#say('earlier', { parts })]),
      ...(discrepancies.length > 0
        ? discrepancies.map((found) => this.#discrepancy(found))
        : difference === 0
          ? []
          : [this.#say('difference', { amount: this.#money(difference) })]),
      ...(movement === null ? [] : [this.#movement(movement)]),
    ]
      .map((sentence, index) => (index === 0 ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence))
      .join('; ')
      .concat('.')
  }

  /** For a line of nobody. */
  ofNobody(amount: number): string {
    return `${this.#say('nobody', { amount: this.#money(amount) })}.`
  }

  #ownMonth({ month, terms }: ChargeMonth): string[] {
    const price = terms.find((term) => term.term === 'price')
    const owed = sumOf(terms.filter(({ term }) => term === 'price' || term === 'proration'))
    const unpriced = sumOf(terms.filter(({ term }) => term === 'as-charged'))
    const entries = sumOf(terms.filter(({ term }) => term === 'entry'))
    const of = { month: this.#month(month), amount: this.#money(owed) }
    const isByAge = price?.term === 'price' && price.ageDay !== null
    return [
      ...(price?.term !== 'price'
        ? []
        : [
            isByAge
              ? this.#say('premium-by-age', { ...of, category: price.category, age: String(price.age) })
              : this.#say('premium', of),
          ]),
      ...(unpriced === 0 ? [] : [this.#say('as-charged', { amount: this.#money(unpriced) })]),
      ...(entries === 0 ? [] : [this.#say('entries', { amount: this.#money(entries) })]),
    ]
  }

  #partOf({ month, amount, terms }: ChargeMonth): string {
    const part = terms.find((term) => term.term === 'proration')
    const of = { month: this.#month(month), amount: this.#money(amount) }
    return part?.term === 'proration'
      ? this.#say('part-of-month', { ...of, days: String(part.coveredDays) })
      : this.#say('month', of)
  }

  /** What was found, of which month, without its sign: the class says which way. */
  #discrepancy({ class: name, amount, coverMonth }: ChargedBenefitFacts['discrepancies'][number]): string {
    const word = inSentence(TEXTS[this.#language].terms.discrepancyClass[name])
    const of = coverMonth === null ? [] : [this.#month(coverMonth)]
    return [word, ...of, ...(amount === null ? [] : [this.#money(Math.abs(amount))])].join(' ')
  }

  #movement({ enrollmentType, requestedAt, sentAt, answeredAt }: NonNullable<ChargedBenefitFacts['began']>): string {
    const type = TEXTS[this.#language].terms.type[enrollmentType]
    return [
      this.#say('requested', { type: inSentence(type), date: this.#day(requestedAt) }),
      ...(sentAt === null ? [] : [this.#say('sent', { date: this.#day(sentAt) })]),
      ...(answeredAt === null ? [] : [this.#say('answered', { date: this.#day(answeredAt) })]),
    ].join(', ')
  }

  #say(key: keyof typeof PORTUGUESE.charges, values: Readonly<Record<string, string>>): string {
    return TEXTS[this.#language].charges[key].replaceAll(
      /\{([a-z]+)\}/g,
      (whole, name: string) => values[name] ?? whole,
    )
  }

  #money(cents: number): string {
    const amount = (cents / 100).toLocaleString(this.#language, { minimumFractionDigits: 2 })
    return `R$ ${amount}`
  }

  #month(month: Month): string {
    return this.#language === 'pt-BR' ? month.split('-').toReversed().join('/') : month
  }

  #day(instant: string): string {
    const day: LocalDate = businessDate(new Date(instant))
    return this.#language === 'pt-BR' ? day.split('-').toReversed().slice(0, 2).join('/') : day
  }
}

const termsOf = (months: readonly ChargeMonth[], name: ChargeTerm['term']): number =>
  sumOf(months.flatMap(({ terms }) => terms.filter(({ term }) => term === name)))
