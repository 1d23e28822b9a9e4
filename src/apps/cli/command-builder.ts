import { Argument, Command, Option } from 'commander'
import { LANGUAGES } from '#kernel/texts/texts.ts'
import type { ExitStatus } from './errors.ts'

type Parameter =
  | string
  | {
      readonly description: string
      readonly choices?: readonly string[]
      readonly isRequired?: true
      readonly conflicts?: string
      readonly default?: unknown
      readonly parse?: (text: string) => unknown
    }

/** Arguments and options of a command, by their syntax in its help: `<file>`, `[id]`, `<id...>`, `--all`, `--query <text>`. */
export type Parameters = Readonly<Record<string, Parameter>>

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Text
type NameOf<Syntax> = Syntax extends `--${infer Name} <${string}>` | `<${infer Name}...>`
  ? CamelCase<Name>
  : Syntax extends `--${infer Name}` | `<${infer Name}>` | `[${infer Name}]`
    ? CamelCase<Name>
    : never
type ValueOf<Syntax, Declared> = Declared extends { parse: (text: string) => infer Value }
  ? Value
  : Declared extends { choices: readonly (infer Choice)[] }
    ? (Syntax extends `--${string}...>` ? Choice[] : Choice) | undefined
    : Syntax extends `<${string}...>`
      ? string[]
      : Syntax extends `--${string}...>`
        ? string[] | undefined
        : Syntax extends `--${string}>` | `[${string}]`
          ? string | (Declared extends { default: string } ? never : undefined)
          : Syntax extends `--${string}`
            ? true | undefined
            : string

/** The values of the parameters, by their names in camel case. */
export type Values<Declared extends Parameters> = {
  readonly [Syntax in keyof Declared as NameOf<Syntax>]: ValueOf<Syntax, Declared[Syntax]>
} & { readonly json: true | undefined }

/** How a command ends unless it fails; nothing is `ok`. */
export type Ending = ExitStatus | void

/** A command: one that runs, one with subcommands, or both. */
export interface CommandDeclaration<Declared extends Parameters = Parameters> {
  readonly name: string
  /** For the list of commands, without a full stop. */
  readonly description: string
  /** Command lines without `vigencia`, and what each does; a test runs them. */
  readonly examples?: Readonly<Record<string, string>>
  readonly parameters?: Declared
  /** False for a command without the option `--json`. */
  readonly hasJson?: false
  readonly commands?: readonly CommandDeclaration[]
  /** @param built the command of commander. */
  run?(values: Values<Declared>, built: Command): Ending | Promise<Ending>
}

/** Infers the type of the values that `run` gets from the parameters. */
export function command<const Declared extends Parameters>(declared: CommandDeclaration<Declared>): CommandDeclaration {
  return declared
}

const known = new WeakMap<Command, readonly { line: string; message: string }[]>()

/** The examples of a command, for docs/reference/cli. */
export function examplesOf(command: Command): readonly { line: string; message: string }[] {
  return known.get(command) ?? []
}

const jsonFlag = ['--json', 'print the result as JSON on standard output, and messages on standard error'] as const

const globalOptions = () => [
  new Option(...jsonFlag),
  new Option('--profile <name>', 'the stored profile to use'),
  new Option('--yes', 'do not ask before what cannot be undone'),
  new Option(...languageFlag).choices(LANGUAGES),
]

const languageFlag = [
  '--language <language>',
  'of messages; by default that of the locale, such as LANG=pt_BR.UTF-8',
] as const

/** The options of a command: also those given before it, unless it has them itself. */
export function optionsOf(command: Command): Record<string, unknown> {
  const values = command.parent === null ? {} : optionsOf(command.parent)
  for (const [name, value] of Object.entries(command.opts())) {
    if (!Object.hasOwn(values, name) || command.getOptionValueSource(name) !== 'default') values[name] = value
  }
  return values
}

/**
 * The command for commander.
 * @param ended is called with the exit status of `run`.
 * @param isRoot for the program: its help shows the options that may stand before a command.
 */
export function buildCommand(
  declared: CommandDeclaration,
  ended: (status: ExitStatus) => void,
  isRoot = false,
): Command {
  const { name, description, examples = {}, parameters = {}, hasJson = true, commands = [] } = declared
  // With positional options an option belongs to the command before it: `exclude` and `exclude file` both have `--json`.
  const built = new Command(name).description(description).enablePositionalOptions()
  built.exitOverride().showHelpAfterError('(--help shows examples)')
  for (const command of commands) built.addCommand(buildCommand(command, ended))
  if (declared.run === undefined) {
    // They may stand before the command.
    for (const option of globalOptions()) built.addOption(isRoot ? option : option.hideHelp())
    return built
  }
  if (hasJson) built.option(...jsonFlag)
  if (!('--language <language>' in parameters))
    built.addOption(new Option(...languageFlag).choices(LANGUAGES).hideHelp())
  for (const [syntax, parameter] of Object.entries(parameters)) addParameter(built, syntax, parameter)
  const list = Object.entries(examples).map(([line, message]) => ({ line: `vigencia ${line}`, message }))
  known.set(built, list)
  const shown = list.map(({ line, message }) => `  ${line}\n      ${message}`).join('\n')
  return built.addHelpText('after', `\nExamples:\n${shown}`).action(async () => {
    const named = built.registeredArguments.map((argument, index) => [
      nameOf(argument.name()),
      built.processedArgs[index],
    ])
    ended((await declared.run?.({ ...optionsOf(built), ...Object.fromEntries(named) }, built)) ?? 'ok')
  })
}

function addParameter(built: Command, syntax: string, parameter: Parameter): void {
  const declared = typeof parameter === 'string' ? { description: parameter } : parameter
  if (!syntax.startsWith('--')) {
    const argument = new Argument(syntax, declared.description)
    if (declared.choices !== undefined) argument.choices(declared.choices)
    return void built.addArgument(argument)
  }
  const option = new Option(syntax, declared.description).makeOptionMandatory(declared.isRequired === true)
  if (declared.choices !== undefined) option.choices(declared.choices)
  if (declared.conflicts !== undefined) option.conflicts(declared.conflicts)
  if (declared.default !== undefined) option.default(declared.default)
  if (declared.parse !== undefined) option.argParser(declared.parse)
  built.addOption(option)
}

/** The name of an argument among the values. */
export function nameOf(syntax: string): string {
  return syntax.replaceAll(/[<>[\]]/g, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
