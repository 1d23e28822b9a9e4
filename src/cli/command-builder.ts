import { Argument, Command, Option } from 'commander'

export interface Example {
  readonly line: string
  readonly message: string
}

const known = new WeakMap<Command, readonly Example[]>()

/** The examples of a command, for the reference. */
export function examplesOf(command: Command): readonly Example[] {
  return known.get(command) ?? []
}

/** A command with what it does and examples, which its help shows and a test reads. */
export function describedCommand(
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

/** A command whose answer may be asked for as JSON. */
export function answering(name: string, message: string, examples: readonly (readonly [string, string])[]): Command {
  return describedCommand(name, message, examples).addOption(
    new Option('--json', 'print the answer as JSON on standard output, and messages on standard error'),
  )
}

/** A command that speaks to a running service. */
export function calling(name: string, message: string, examples: readonly (readonly [string, string])[]): Command {
  return answering(name, message, examples).addOption(
    new Option('--profile <name>', 'the stored profile to use; `demo` is the demo that runs on this data folder'),
  )
}

/** A command that only holds others. */
export function group(name: string, message: string, commands: readonly Command[]): Command {
  const command = new Command(name).description(message)
  for (const one of commands) command.addCommand(one)
  return command
}

export const cnpj = () => new Argument('<company-tax-id>', 'CNPJ of the company, formatted or not')

export interface CommandOptions {
  readonly json?: true
  readonly profile?: string
}
