import { useId } from 'react'
import { ErrorText } from './inputs.tsx'
import type { Price, Product } from './link.ts'
import type { Choice, Form } from './person.ts'
import { type Language, money, type Texts } from './texts.ts'

/** Each product, with what the employee pays, to be taken or waived. */
export function Products(props: {
  readonly t: Texts
  readonly language: Language
  readonly products: readonly Product[]
  readonly choices: Form['choices']
  readonly prices: ReadonlyMap<string, Price>
  /** Which dependents take the product. */
  readonly familyIn: (productId: string) => readonly boolean[]
  readonly errorOf: (path: string) => string | undefined
  readonly onChange: (choices: Form['choices']) => void
}) {
  const { t, language, products, choices, prices, familyIn, errorOf, onChange } = props
  return (
    <section className="card">
      <h2>{t.products}</h2>
      {products.map((product, index) => {
        const id = product['product-id']
        return (
          <ProductChoice
            key={id}
            t={t}
            product={product}
            price={priceText(t, language, prices.get(id), familyIn(id))}
            value={choices[id] ?? { choice: '', typedName: '' }}
            errors={{
              choice: errorOf(`choices[${index}].choice`),
              typedName: errorOf(`choices[${index}].typed-name`),
            }}
            onChange={(choice) => onChange({ ...choices, [id]: choice })}
          />
        )
      })}
    </section>
  )
}

/** null: the price is not known. */
function priceText(t: Texts, language: Language, price: Price | undefined, family: readonly boolean[]): string | null {
  if (price === undefined || price.amount === null) return null
  const own = t.perMonth(money(language, price.amount))
  const ofFamily = price['dependent-amounts'].flatMap((amount, index) =>
    family[index] === true && amount !== null ? [amount] : [],
  )
  if (ofFamily.length === 0) return own
  const sum = ofFamily.reduce((total, amount) => total + amount, price.amount)
  return `${own}; ${t.withFamily(money(language, sum))}`
}

function ProductChoice(props: {
  readonly t: Texts
  readonly product: Product
  readonly price: string | null
  readonly value: Choice
  readonly errors: { readonly choice: string | undefined; readonly typedName: string | undefined }
  readonly onChange: (choice: Choice) => void
}) {
  const { t, product, price, value, errors, onChange } = props
  const id = useId()
  const type = t.terms.productType[product['product-type'] as 'other']
  const option = (choice: 'enroll' | 'waive', label: string) => (
    <label className="option">
      <input type="radio" name={id} checked={value.choice === choice} onChange={() => onChange({ ...value, choice })} />
      {label}
    </label>
  )
  return (
    <fieldset data-invalid={errors.choice !== undefined}>
      <legend translate="no">{product['product-name']}</legend>
      <p className="hint">
        {type !== undefined && <>{type} · </>}
        <span translate="no">{product['carrier-name']}</span>
      </p>
      {price !== null && <p className="price">{price}</p>}
      <div className="options">
        {option('enroll', t.enroll)}
        {option('waive', t.waive)}
      </div>
      <ErrorText error={errors.choice} />
      {value.choice === 'waive' && (
        <div className="field">
          <label htmlFor={`${id}-name`}>{t.waiver}</label>
          <input
            id={`${id}-name`}
            autoComplete="off"
            maxLength={200}
            value={value.typedName}
            aria-invalid={errors.typedName !== undefined}
            aria-describedby={`${id}-error`}
            onChange={({ currentTarget }) => onChange({ ...value, typedName: currentTarget.value })}
          />
          <ErrorText id={`${id}-error`} error={errors.typedName} />
        </div>
      )}
    </fieldset>
  )
}
