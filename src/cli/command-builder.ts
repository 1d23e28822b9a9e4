import { Argument, Command, Option } from 'commander'

export interface Example {
  readonly line: string
  readonly says: string
}

const known = new WeakMap<Command, readonly Example[]>()

/** The examples of a command, for the reference. */
export function examplesOf(command: Command): readonly Example[] {
  return known.get(command) ?? []
}

/** A command with what it does and examples, which its help shows and a test reads. */
export function described(
  name: string,
  says: string,
  examples: readonly (readonly [line: string, says: string])[],
): Command {
  const list = examples.map(([line, meaning]) => ({ line: `vigencia ${line}`.trim(), says: meaning }))
  const command = new Command(name).description(says)
  known.set(command, list)
  const shown = list.map(({ line, says: meaning }) => `  ${line}\n      ${meaning}`).join('\n')
  return command.addHelpText('after', `\nExamples:\n${shown}`)
}

/** A command whose answer may be asked for as JSON. */
export function answering(name: string, says: string, examples: readonly (readonly [string, string])[]): Command {
  return described(name, says, examples).addOption(
    new Option('--json', 'print the answer as JSON on standard output, and messages on standard error'),
  )
}

/** A command that speaks to a running service. */
export function calling(name: string, says: string, examples: readonly (readonly [string, string])[]): Command {
  return answering(name, says, examples).addOption(
    new Option('--profile <name>', 'the stored profile to use; `demo` is the demo that runs on this data folder'),
  )
}

/** A command that only holds others. */
export function group(name: string, says: string, commands: readonly Command[]): Command {
  const command = new Command(name).description(says)
  for (const one of commands) command.addCommand(one)
  return command
}

export const cnpj = () => new Argument('<company-tax-id>', 'CNPJ of the company, formatted or not')

export interface Asked {
  readonly json?: true
  readonly profile?: string
}
