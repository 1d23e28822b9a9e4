import { type FormEvent, useEffect, useRef, useState } from 'react'
import { keepDraft, readDraft } from './draft.ts'
import { FieldInput, Files } from './inputs.tsx'
import { type Detail, type Link, LinkError, type Price, type View } from './link.ts'
import {
  addressFields,
  dependentFields,
  documentFields,
  type Draft,
  enrolledIn,
  type Field,
  firstDraft,
  isSameAt,
  type Form,
  nobody,
  ownFields,
  requirementsOf,
  submissionOf,
} from './person.ts'
import { Products } from './products.tsx'
import type { Language, Texts } from './texts.ts'

interface Props {
  readonly t: Texts
  readonly language: Language
  readonly link: Link
  readonly view: View
  readonly onSent: () => Promise<void>
  readonly onProblem: (problem: LinkError) => void
}

/** Errors of a path, such as `member.name`. */
type ErrorOf = (path: string) => string | undefined

const wrong = '[aria-invalid="true"], [data-invalid="true"] input'

/** All that the employee fills in, on one page. */
export function DataForm({ t, language, link, view, onSent, onProblem }: Props) {
  const [first] = useState(() => firstDraft(view))
  const [recovered, setRecovered] = useState(() => readDraft(link.draftKey))
  const [form, setForm] = useState<Form>(recovered ?? first)
  const [details, setDetails] = useState<readonly Detail[]>([])
  /** What `details` are about. */
  const [judged, setJudged] = useState(form)
  useEffect(() => {
    if (form !== first) keepDraft(link.draftKey, form)
  }, [link, form, first])
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const prices = usePrices(link, form.dependents)
  useUnloadQuestion()
  // Keyboard and screen reader go on where something is wrong.
  useEffect(() => {
    if (details.length > 0) element.current?.querySelector<HTMLElement>(wrong)?.focus()
  }, [details])
  const errorOf: ErrorOf = (path) => {
    const detail = details.find(({ field }) => field === path)
    if (detail === undefined || !isSameAt(path, form, judged)) return undefined
    if (detail.code === 'missing') return t.required
    return detail.code === 'repeated' ? t.repeated : (detail.message ?? t.invalid)
  }
  const enrolled = enrolledIn(form)
  const changeOwn = (change: (draft: Draft) => Draft) => setForm((before) => ({ ...before, own: change(before.own) }))
  const changeDependent = (key: string, change: (draft: Draft) => Draft) =>
    setForm((before) => ({
      ...before,
      dependents: before.dependents.map((one) => (one.key === key ? change(one) : one)),
    }))
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    setProblem(null)
    try {
      await link.submit(submissionOf(form))
      keepDraft(link.draftKey, null)
      await onSent()
    } catch (error) {
      const failure = error instanceof LinkError ? error : new LinkError({})
      setDetails(failure.details)
      setJudged(form)
      setProblem(failure.code === 'invalid-body' ? t.mend : (t.errors[failure.code as 'other'] ?? t.errors.other))
      onProblem(failure)
    } finally {
      setPending(false)
    }
  }
  return (
    <form ref={element} noValidate onSubmit={(event) => void send(event)}>
      <h1 translate="no">{t.greeting(view.name)}</h1>
      <p>{t.explanation(view['company-name'])}</p>
      {recovered !== null && (
        <p className="hint" role="status">
          {t.draftRecovered}{' '}
          <button
            type="button"
            className="quiet"
            onClick={() => {
              keepDraft(link.draftKey, null)
              setRecovered(null)
              setForm(first)
            }}
          >
            {t.discardDraft}
          </button>
        </p>
      )}
      {view['return-message'] !== null && (
        <div className="notice" role="status">
          <strong>{t.returnedTitle}</strong>
          <p translate="no">{view['return-message']}</p>
        </div>
      )}
      <Products
        t={t}
        language={language}
        products={view.products}
        choices={form.choices}
        prices={prices}
        familyIn={(id) => form.dependents.map(({ productIds }) => productIds.includes(id))}
        errorOf={errorOf}
        onChange={(choices) => setForm({ ...form, choices })}
      />
      {enrolled.length > 0 && (
        <>
          <section className="card">
            <h2>{t.own}</h2>
            <p className="hint" translate="no">
              CPF {view['tax-id']}
            </p>
            <Fields t={t} fields={ownFields} draft={form.own} path="member." errorOf={errorOf} onChange={changeOwn} />
            <h3>{t.document}</h3>
            <Fields
              t={t}
              fields={documentFields}
              draft={form.own}
              path="member."
              errorOf={errorOf}
              onChange={changeOwn}
            />
            <h3>{t.address}</h3>
            <Fields
              t={t}
              fields={addressFields}
              draft={form.own}
              path="member."
              errorOf={errorOf}
              onChange={changeOwn}
            />
            <Files
              t={t}
              link={link}
              wanted={requirementsOf(view.products, enrolled, null)}
              files={form.own.files}
              error={errorOf('member.documents')}
              onChange={(change) => changeOwn((own) => ({ ...own, files: change(own.files) }))}
            />
          </section>
          <section className="card">
            <h2>{t.family}</h2>
            {form.dependents.length === 0 && <p className="hint">{t.noFamily}</p>}
            {form.dependents.map((dependent, index) => (
              <Dependent
                key={dependent.key}
                t={t}
                link={link}
                view={view}
                enrolled={enrolled}
                draft={dependent}
                path={`dependents[${index}].`}
                errorOf={errorOf}
                onChange={(change) => changeDependent(dependent.key, change)}
                onRemove={() =>
                  setForm({ ...form, dependents: form.dependents.filter(({ key }) => key !== dependent.key) })
                }
              />
            ))}
            <button
              type="button"
              className="quiet"
              onClick={() => setForm({ ...form, dependents: [...form.dependents, nobody(enrolled)] })}
            >
              {t.addDependent}
            </button>
          </section>
        </>
      )}
      <p className="hint">{t.privacy}</p>
      {problem !== null && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="main" disabled={isPending}>
        {isPending ? t.sending : t.send}
      </button>
    </form>
  )
}

function Fields(props: {
  readonly t: Texts
  readonly fields: readonly Field[]
  readonly draft: Draft
  readonly path: string
  readonly allowed?: readonly string[]
  readonly errorOf: ErrorOf
  readonly onChange: (change: (draft: Draft) => Draft) => void
}) {
  const { t, fields, draft, path, allowed = [], errorOf, onChange } = props
  return (
    <div className="fields">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          t={t}
          field={field}
          allowed={allowed}
          value={draft.values[field.name] ?? ''}
          error={errorOf(path + field.name)}
          onChange={(value) => onChange((before) => ({ ...before, values: { ...before.values, [field.name]: value } }))}
        />
      ))}
    </div>
  )
}

function Dependent(props: {
  readonly t: Texts
  readonly link: Link
  readonly view: View
  readonly enrolled: readonly string[]
  readonly draft: Draft
  readonly path: string
  readonly errorOf: ErrorOf
  readonly onChange: (change: (draft: Draft) => Draft) => void
  readonly onRemove: () => void
}) {
  const { t, link, view, enrolled, draft, path, errorOf, onChange, onRemove } = props
  const { values, productIds } = draft
  const products = view.products.filter((product) => enrolled.includes(product['product-id']))
  const allowed = [...new Set(products.flatMap((product) => product['allowed-dependent-types']))]
  const chosen = productIds.filter((id) => enrolled.includes(id))
  const error = errorOf(`${path}dependent-product-ids`)
  return (
    <fieldset>
      <legend>{t.dependent(values['name'] ?? '')}</legend>
      <Fields
        t={t}
        fields={dependentFields}
        allowed={allowed}
        draft={draft}
        path={path}
        errorOf={errorOf}
        onChange={onChange}
      />
      <fieldset data-invalid={error !== undefined}>
        <legend>{t.dependentProducts}</legend>
        {products.map(({ 'product-id': id, 'product-name': name }) => (
          <label className="option" key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange((before) => ({
                  ...before,
                  productIds: checked ? [...before.productIds, id] : before.productIds.filter((one) => one !== id),
                }))
              }
            />
            <span translate="no">{name}</span>
          </label>
        ))}
        {error !== undefined && <p className="error">{error}</p>}
      </fieldset>
      <Files
        t={t}
        link={link}
        wanted={requirementsOf(view.products, chosen, values['dependent-type'] ?? '')}
        files={draft.files}
        error={errorOf(`${path}documents`)}
        onChange={(change) => onChange((before) => ({ ...before, files: change(before.files) }))}
      />
      <button type="button" className="quiet" onClick={onRemove}>
        {t.removeDependent}
      </button>
    </fieldset>
  )
}

/** What the employee pays, by product, for the dependents whose date of birth is known. */
function usePrices(link: Link, dependents: readonly Draft[]): ReadonlyMap<string, Price> {
  const [prices, setPrices] = useState<ReadonlyMap<string, Price>>(new Map())
  // Unknown ones have today's: their price is not shown.
  const dates = dependents.map(({ values }) => dateOf(values['date-of-birth'])).join(' ')
  useEffect(() => {
    let isOver = false
    const known = dates === '' ? [] : dates.split(' ')
    const read = async () => {
      // Without a price the page says none.
      const list = await link.prices(known.map((date) => (date === '-' ? '2000-01-01' : date))).catch(() => [])
      if (isOver) return
      const withoutUnknown = list.map((price) => ({
        ...price,
        'dependent-amounts': price['dependent-amounts'].map((amount, index) => (known[index] === '-' ? null : amount)),
      }))
      setPrices(new Map(withoutUnknown.map((price) => [price['product-id'], price])))
    }
    void read()
    return () => {
      isOver = true
    }
  }, [link, dates])
  return prices
}

const dateOf = (text: string | undefined): string => (/^(19|20)\d\d-\d\d-\d\d$/.test(text ?? '') ? (text ?? '') : '-')

/** Asks before the page is left with what was written. */
function useUnloadQuestion(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}
