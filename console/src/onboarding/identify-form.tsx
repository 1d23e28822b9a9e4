import { type FormEvent, useId, useState } from 'react'
import { type Link, LinkError, type View } from './link.ts'
import type { Texts } from './texts.ts'

/** Asks for the second factor. */
export function IdentifyForm(props: {
  readonly t: Texts
  readonly link: Link
  readonly problem: LinkError | null
  readonly onOpened: (view: View) => void
  readonly onProblem: (problem: LinkError | null) => void
}) {
  const { t, link, problem, onOpened, onProblem } = props
  const [ending, setEnding] = useState('')
  const [born, setBorn] = useState('')
  const [isPending, setPending] = useState(false)
  const id = useId()
  const open = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    try {
      const view = await link.open(ending, born)
      onProblem(null)
      onOpened(view)
    } catch (error) {
      onProblem(error instanceof LinkError ? error : new LinkError({}))
    } finally {
      setPending(false)
    }
  }
  return (
    <form className="card" onSubmit={(event) => void open(event)}>
      <h1>{t.identifyTitle}</h1>
      <p>{t.identify}</p>
      <div className="field">
        <label htmlFor={`${id}-ending`}>{t.ending}</label>
        <input
          id={`${id}-ending`}
          inputMode="numeric"
          autoComplete="off"
          required
          pattern="\d{5}"
          maxLength={5}
          value={ending}
          onChange={({ currentTarget: { value } }) => setEnding(value.replaceAll(/\D/g, ''))}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-born`}>{t.born}</label>
        <input
          id={`${id}-born`}
          type="date"
          autoComplete="bday"
          required
          value={born}
          onChange={({ currentTarget: { value } }) => setBorn(value)}
        />
      </div>
      {problem !== null && (
        <p className="error" role="alert">
          {t.errors[problem.code as 'other'] ?? t.errors.other}{' '}
          {problem.attemptsLeft !== null && t.attemptsLeft(problem.attemptsLeft)}
        </p>
      )}
      <button type="submit" className="main" disabled={isPending}>
        {t.confirm}
      </button>
    </form>
  )
}
