import { Argument, Command, Option } from 'commander'

export interface Example {
  readonly line: string
  readonly message: string
}

const known = new WeakMap<Command, readonly Example[]>()

/** The examples of a command, for docs/command-line.md. */
export function examplesOf(command: Command): readonly Example[] {
  return known.get(command) ?? []
}

/** A command with a description and examples, which its help shows and a test runs. */
export function documentedCommand(
  name: string,
  message: string,
  examples: readonly (readonly [line: string, message: string])[],
): Command {
  const list = examples.map(([line, meaning]) => ({ line: `vigencia ${line}`.trim(), message: meaning }))
  const command = new Command(name).description(message)
  known.set(command, list)
  const shown = list.map(({ line, message: meaning }) => `  ${line}\n      ${meaning}`).join('\n')
  return command.addHelpText('after', `\nExamples:\n${shown}`)
}

/** A command with the option `--json`. */
export function jsonCommand(name: string, message: string, examples: readonly (readonly [string, string])[]): Command {
  return documentedCommand(name, message, examples).addOption(
    new Option('--json', 'print the result as JSON on standard output, and messages on standard error'),
  )
}

/** A command that calls a running service: also with the option `--profile`. */
export function apiCommand(name: string, message: string, examples: readonly (readonly [string, string])[]): Command {
  return jsonCommand(name, message, examples).addOption(
    new Option('--profile <name>', 'the stored profile to use; `demo` is the demo that runs on this data folder'),
  )
}

/** A command with subcommands only. */
export function group(name: string, message: string, commands: readonly Command[]): Command {
  const command = new Command(name).description(message)
  for (const one of commands) command.addCommand(one)
  return command
}

export const companyTaxIdArgument = () => new Argument('<company-tax-id>', 'CNPJ of the company, formatted or not')

export interface CommandOptions {
  readonly json?: true
  readonly profile?: string
}
