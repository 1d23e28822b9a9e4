import { useId, useRef, useState } from 'react'
import type { DocumentType } from '../../../src/kernel/enums.ts'
import { type Link, LinkError, type Requirement } from './link.ts'
import { type Field, type SentFile, states } from './person.ts'
import type { Texts } from './texts.ts'

/** A label, its control and its error. */
export function FieldInput(props: {
  readonly t: Texts
  readonly field: Field
  readonly value: string
  readonly error: string | undefined
  /** The allowed values of the relationship. */
  readonly allowed?: readonly string[]
  readonly onChange: (value: string) => void
}) {
  const { t, field, value, error, allowed = [], onChange } = props
  const { name, kind, required = false, autoComplete = 'off' } = field
  const id = useId()
  const common = {
    id,
    value,
    'aria-invalid': error !== undefined,
    'aria-required': required,
    ...(error === undefined ? {} : { 'aria-describedby': `${id}-error` }),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  }
  const options = optionsOf(t, kind, allowed)
  return (
    <div className="field">
      <label htmlFor={id}>
        {t.fields[name]} {!required && <span className="optional">({t.optional})</span>}
      </label>
      {options === null ? (
        <input
          {...common}
          type={kind === 'date' || kind === 'tel' || kind === 'email' ? kind : 'text'}
          inputMode={kind === 'digits' ? 'numeric' : undefined}
          autoComplete={autoComplete}
          maxLength={200}
        />
      ) : (
        <select {...common} autoComplete={autoComplete}>
          <option value="">—</option>
          {options.map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      )}
      <ErrorText id={`${id}-error`} error={error} />
    </div>
  )
}

export function ErrorText({ id, error }: { readonly id?: string; readonly error: string | undefined }) {
  return error === undefined ? null : (
    <p className="error" id={id}>
      {error}
    </p>
  )
}

/** The choices of a field; null: it is written. */
function optionsOf({ terms }: Texts, kind: Field['kind'], allowed: readonly string[]): [string, string][] | null {
  switch (kind) {
    case 'gender':
      return Object.entries(terms.gender)
    case 'maritalStatus':
      return Object.entries(terms.maritalStatus)
    case 'relationship':
      return Object.entries(terms.dependentType).filter(([type]) => allowed.includes(type))
    case 'state':
      return states.map((state) => [state, state])
    case 'text':
    case 'date':
    case 'digits':
    case 'tel':
    case 'email':
      return null
    default:
      return kind satisfies never
  }
}

/** The documents of a person: those that are needed, and others. */
export function Files(props: {
  readonly t: Texts
  readonly link: Link
  readonly wanted: readonly Requirement[]
  readonly files: readonly SentFile[]
  readonly error: string | undefined
  readonly onChange: (change: (files: readonly SentFile[]) => readonly SentFile[]) => void
}) {
  const { t, link, wanted, files, error, onChange } = props
  const add = (file: SentFile) => onChange((before) => [...before, file])
  return (
    <div>
      <h3>{t.documents}</h3>
      <p className="hint">{t.fileRule}</p>
      <ErrorText error={error} />
      {wanted.map((one) => {
        const types = one['any-of'] as readonly DocumentType[]
        const isThere = files.some(({ type }) => types.includes(type))
        return (
          <div className="wanted" key={`${types.join(' ')} ${one.message}`}>
            <strong>{one.message}</strong>{' '}
            <span className="hint">
              {types.map((type) => t.terms.documentType[type]).join(' / ')} ·{' '}
              {Object.keys(one.when).length === 0 ? t.wanted : t.maybe}
            </span>
            <Upload t={t} link={link} label={one.message} isMore={isThere} type={types[0] ?? 'other'} onSent={add} />
          </div>
        )
      })}
      <ul className="files">
        {files.map((file) => (
          <SentFileItem key={file.id} t={t} link={link} wanted={wanted} file={file} onChange={onChange} />
        ))}
      </ul>
      <Upload t={t} link={link} label={t.another} type="other" onSent={add} />
    </div>
  )
}

/** What people have at home, the usual first; the other types are papers of companies and of exits. */
const ofPeople: readonly DocumentType[] = [
  'identification-document-with-tax-id',
  'birth-certificate-or-national-id',
  'employee-tax-id-card',
  'marriage-certificate',
  'same-sex-marriage-certificate',
  'stable-union-declaration',
  'document-proving-relationship',
  'proof-of-dependent-relationship',
  'adoption-papers',
  'guardianship-certificate',
  'proof-of-enrollment',
  'proof-of-residency',
  'work-card',
  'proof-of-prior-coverage',
  'prior-plan-card',
  'medical-report',
  'disability-report',
]

/** What a file may be: what is asked for, what people have, and what it is now. */
const kindsOf = (wanted: readonly Requirement[], file: SentFile): ReadonlySet<DocumentType> =>
  new Set([...wanted.flatMap((one) => one['any-of'] as readonly DocumentType[]), ...ofPeople, file.type, 'other'])

function SentFileItem(props: {
  readonly t: Texts
  readonly link: Link
  readonly wanted: readonly Requirement[]
  readonly file: SentFile
  readonly onChange: (change: (files: readonly SentFile[]) => readonly SentFile[]) => void
}) {
  const { t, link, wanted, file, onChange } = props
  const id = useId()
  const remove = async () => {
    onChange((before) => before.filter((one) => one.id !== file.id))
    // One that stays is not sent: nothing names it.
    await link.remove(file.id).catch(() => {})
  }
  return (
    <li>
      <span className="file-name">{file.name}</span>
      <label htmlFor={id} className="hint">
        {t.kindOfFile}
      </label>
      <select
        id={id}
        value={file.type}
        onChange={({ currentTarget: { value } }) =>
          onChange((before) =>
            before.map((one) => (one.id === file.id ? { ...one, type: value as DocumentType } : one)),
          )
        }
      >
        {[...kindsOf(wanted, file)].map((type) => (
          <option key={type} value={type}>
            {t.terms.documentType[type]}
          </option>
        ))}
      </select>
      <button type="button" className="quiet" aria-label={t.removeOf(file.name)} onClick={() => void remove()}>
        {t.remove}
      </button>
    </li>
  )
}

function Upload(props: {
  readonly t: Texts
  readonly link: Link
  readonly label: string
  /** Whether there is a file of it already, such as the front. */
  readonly isMore?: boolean
  readonly type: DocumentType
  readonly onSent: (file: SentFile) => void
}) {
  const { t, link, label, isMore = false, type, onSent } = props
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'sending' | LinkError | null>(null)
  const send = async (files: readonly File[]) => {
    setState('sending')
    try {
      for (const file of files) onSent({ id: await link.upload(file), name: file.name, type })
      setState(null)
    } catch (error) {
      setState(error instanceof LinkError ? error : new LinkError({}))
    }
  }
  return (
    <div className="upload">
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="application/pdf,image/*"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void send(files)
        }}
      />
      <button
        type="button"
        className="quiet"
        disabled={state === 'sending'}
        aria-label={isMore ? `${t.more}: ${label}` : t.chooseOf(label)}
        onClick={() => input.current?.click()}
      >
        {state === 'sending'
          ? t.uploading
          : isMore
            ? t.more
            : `${t.choose}${label === t.another ? `: ${t.another}` : ''}`}
      </button>
      {state instanceof LinkError && (
        <p className="error" role="alert">
          {t.errors[state.code as 'other'] ?? t.errors.other}
        </p>
      )}
    </div>
  )
}
