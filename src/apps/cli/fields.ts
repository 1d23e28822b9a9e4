import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { CommandError } from './errors.ts'
import { say } from './language.ts'
import { oneLine } from './terminal.ts'

const numbers: ReadonlySet<string> = new Set(['salary', 'monthly-salary'])

/** `field=value` of an option, as an object; amounts in cents are numbers. @throws CommandError for another form. */
export function readFields(option: string, texts: readonly string[] = []): Record<string, string | number> {
  const entries = texts.map((text) => {
    const [name, value] = split(option, text, 'field=value')
    return [name, numbers.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value] as const
  })
  return Object.fromEntries(entries)
}

interface Document {
  readonly 'document-id': string
  readonly 'document-type': string
}

/** `type=document-id` of `--document`, as the API takes them; undefined when there are none. */
export function readDocuments(texts: readonly string[] | undefined): Document[] | undefined {
  return texts?.map((text) => {
    const [type, id] = split('--document', text, 'TYPE=DOCUMENT-ID')
    if (DOCUMENT_TYPES.some((documentType) => documentType === type))
      return { 'document-id': id, 'document-type': type }
    const message = say`${oneLine(type)} is no type of a document.`
    throw new CommandError('usage', message, say`It is one of ${DOCUMENT_TYPES.join(', ')}.`)
  })
}

function split(option: string, text: string, form: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new CommandError('usage', say`${option} ${oneLine(text)} has no value.`, say`Write it as ${option} ${form}.`)
}
