import type { Call } from '@vigencia/client'
import type { CliCommand } from '#platform/http/extensions.ts'
import { nameOf, type Parameters } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import type { DescribedCommand, Input } from './openapi.ts'
import { say } from './language.ts'
import type { Given } from './operation.ts'

/** An input with what it is called on the command line. */
export interface NamedInput extends Input {
  /** `<id>`, `[id]` or `--option <value>`. */
  readonly syntax: string
  /** Among the values that commander has read. */
  readonly key: string
  readonly parameter: Parameters[string]
}

/** Those of a page are `--limit`, dates are confirmed with `--yes`. */
const notOptions = new Set(['page', 'items-per-page', 'confirm'])

/** The arguments of a command, then its options. An option that only one of two APIs has says so. */
export function inputsOf(cli: CliCommand, ofApis: readonly DescribedCommand[]): NamedInput[] {
  const every = ofApis.flatMap(({ inputs }) => inputs.map((input) => [`${input.place} ${input.name}`, input] as const))
  const all = new Map(every)
  const isUsed = ({ name, place }: Input) => {
    const isConstant = Object.hasOwn(cli.body ?? {}, name) && cli.options?.[name] === undefined
    return !notOptions.has(name) && !(place === 'body' && (cli.file === true || isConstant))
  }
  const isArgument = ({ name, place }: Input) => {
    if (place === 'path') return !(cli.file && all.has(`body ${name}`))
    return place === 'body' && cli.arguments?.includes(name) === true
  }
  const used = [...all.values()].filter(isUsed)
  const optionOf = (name: string) => cli.options?.[name] ?? optionName(name, cli.command)
  const options = used
    .filter((input) => !isArgument(input))
    .map((input) => {
      const having = ofApis.filter(({ inputs }) => inputs.some(({ name }) => name === input.name))
      const prefix = having.length < ofApis.length ? `${having[0]?.api}: ` : ''
      // Other parameters are named as they are given here.
      const text = sentence(input.schema.description?.replace(/^`true`: /, '') ?? '').replaceAll(
        /`([\w-]+)`/g,
        (word, name: string) => (all.has(`query ${name}`) ? `--${optionOf(name)}` : word),
      )
      return option(
        input,
        optionOf(input.name),
        input.place === 'path' ? 'when the file does not name it' : prefix + text,
      )
    })
  return [...used.filter(isArgument).map(argument), ...(cli.file ? [fileArgument(ofApis)] : []), ...options]
}

function argument(input: Input): NamedInput {
  const syntax = input.place === 'path' || input.isRequired ? `<${input.name}>` : `[${input.name}]`
  const parameter = input.place === 'path' ? '' : sentence(input.schema.description ?? '')
  return { ...input, syntax, key: nameOf(syntax), parameter }
}

function fileArgument([described]: readonly DescribedCommand[]): NamedInput {
  const input = { name: 'file', place: 'body', schema: {}, isRequired: true, example: 'file.json' } as const
  const body = `the body of ${described?.line.replace(/\/\{.*/, '')}`
  return { ...argument(input), parameter: `JSON, ${body}; \`-\` reads standard input` }
}

/** `query` of `q`, `from` of `from-dt`; without the noun of the command: `type` of `request-type` in `request list`. */
function optionName(name: string, command: string): string {
  if (name === 'q') return 'query'
  const noun = `${command.split(' ')[0]}-`
  const own = name.startsWith(noun) && !name.startsWith(`${noun}tax-id`) ? name.slice(noun.length) : name
  return own.replace(/-dt$/, '')
}

function option(input: Input, name: string, description: string): NamedInput {
  const { schema, isRequired } = input
  const dots = schema.type === 'array' ? '...' : ''
  const syntax = schema.type === 'boolean' ? `--${name}` : `--${name} <${valueName(input)}${dots}>`
  const parameter = { description, ...(schema.enum && { choices: schema.enum }), ...(isRequired && { isRequired }) }
  return { ...input, syntax, key: nameOf(name), parameter }
}

/** What the help calls the value of a parameter. */
function valueName({ name, schema }: Input): string {
  if (name === 'q') return 'text'
  if (/company-tax-ids?$/.test(name)) return 'cnpj'
  if (name.endsWith('tax-id')) return 'cpf'
  const last = name.replace(/-dt$/, '-date').split('-').at(-1) ?? name
  return schema.type === 'array' ? last.replace(/(?<!u)s$/, '') : last
}

/** The first sentence of a text, for a line of the help. */
export function sentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.) /)
  return first.replace(/\.$/, '').replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
}

/** A command line with what it needs at least. */
export function exampleOf(command: string, inputs: readonly NamedInput[]): string {
  const needed = inputs.filter(({ syntax, isRequired }) => syntax.startsWith('<') || isRequired)
  const words = needed.map(({ syntax, example, schema }) => {
    const value = String(example ?? schema.enum?.[0] ?? 'x')
    return syntax.startsWith('<') ? value : `${syntax.split(' ')[0]} ${value}`
  })
  return [command, ...words].join(' ')
}

/** An object in a list of values, as JSON; the text where it is none. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A number in a list of values; the text where it is none. */
const numberOf = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)

/** The call of what is given. */
export async function callOf(cli: CliCommand, inputs: readonly NamedInput[], given: Given): Promise<Call> {
  const of = (place: Input['place']) => inputs.filter((input) => input.place === place)
  const valuesOf = (place: Input['place']): Record<string, unknown> =>
    Object.fromEntries(
      of(place).flatMap(({ name, key, schema }) => {
        const value = given[key]
        const isNumber = place === 'body' && schema.type === 'integer' && /^\d+$/.test(String(value))
        const inList = schema.items?.type === 'integer' ? numberOf : jsonOf
        const typed = isNumber ? Number(value) : Array.isArray(value) ? value.map(inList) : value
        return value === undefined ? [] : [[name, typed]]
      }),
    )
  const { file, ...body } = valuesOf('body')
  const name = String(file)
  const json: Record<string, unknown> = cli.file ? parseObject(name, await readInput(name)) : { ...cli.body, ...body }
  const path = of('path').map((input) => {
    const { [input.name]: inFile } = json
    if (input.syntax.startsWith('--')) delete json[input.name]
    const value = given[input.key] ?? inFile
    if (typeof value === 'string') return value
    const next = say`Put \`${input.name}\` into it, or use --${input.name}.`
    throw new CommandError('usage', say`${name} names no ${cli.command.split(' ')[0]}.`, next)
  })
  const hasBody = of('body').length > 0 || cli.body !== undefined
  return { path, query: valuesOf('query'), ...(hasBody && { json }) }
}
