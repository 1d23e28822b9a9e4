/* The pages of reference/cli, from the commands themselves: a page for each heading of the help, and one for each large command. */
import type { Command } from 'commander'
import { examplesOf } from '#apps/cli/command-builder.ts'
import { buildProgram } from '#apps/cli/program.ts'
import { serviceCommands } from '#apps/cli/service-commands.ts'

/** Commands with more parts have a page of their own. */
const maxPartsOnSharedPage = 4

/** The pages of the headings of the help. */
const headings: Readonly<Record<string, { readonly file: string; readonly title: string }>> = {
  'The service and its database:': { file: 'service.md', title: 'Commands for the service and its database' },
  'Profiles and the shell:': { file: 'shell.md', title: 'Commands for profiles and the shell' },
  'Movements:': { file: 'movements.md', title: 'Commands for movements' },
  'Members, companies and invoices:': { file: 'members.md', title: 'Commands for members and companies' },
  'Access:': { file: 'access.md', title: 'Commands for clients and entitlements' },
  'Events:': { file: 'events.md', title: 'Commands for events' },
}

interface CommandPage {
  readonly file: string
  readonly title: string
  readonly commands: readonly (readonly [name: string, command: Command])[]
}

/** The pages of reference/cli beside its index, by file name. */
export function commandLinePages(): ReadonlyMap<string, string> {
  return new Map(pagesOf(buildProgram(serviceCommands)).map((page) => [page.file, pageText(page)] as const))
}

/** The rows of the index. */
export function commandRows(): string[][] {
  return pagesOf(buildProgram(serviceCommands)).map(({ file, title, commands }) => {
    const names = commands.map(([name]) => `\`${name.replace('vigencia ', '')}\``)
    return [`[${title}](${file})`, names.join(', ')]
  })
}

function pagesOf(program: Command): CommandPage[] {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup())
  return [...groups].flatMap(([heading, commands]) => {
    const heads = headings[heading]
    if (heads === undefined) throw new Error(`the heading ${heading} has no page: name it in generate/command-line.ts`)
    const parts = commands.map((command) => ({ command, leaves: leavesOf(command, 'vigencia') }))
    const [own, shared] = [true, false].map((isOwn) =>
      parts.filter(({ leaves }) => leaves.length > maxPartsOnSharedPage === isOwn),
    ) as [typeof parts, typeof parts]
    const ownPages = own.map(({ command, leaves }) => ({
      file: `${command.name()}.md`,
      title: `vigencia ${command.name()}`,
      commands: leaves,
    }))
    return shared.length === 0
      ? ownPages
      : [{ ...heads, commands: shared.flatMap(({ leaves }) => leaves) }, ...ownPages]
  })
}

function leavesOf(command: Command, before: string): [string, Command][] {
  const name = `${before} ${command.name()}`
  // A command may have an action of its own beside the commands that it holds.
  const own: [string, Command][] =
    command.commands.length === 0 || examplesOf(command).length > 0 ? [[name, command]] : []
  return [...own, ...command.commands.flatMap((one) => leavesOf(one, name))]
}

function pageText({ title, commands }: CommandPage): string {
  const sections = commands.map(([name, command]) => section(command, name))
  return `# ${title}\n\nWhat all commands have in common is in [the index](index.md).\n\n${sections.join('\n')}`
}

function section(command: Command, name: string): string {
  const words = command.registeredArguments.map((one) => {
    const dots = one.variadic ? '...' : ''
    return one.required ? ` <${one.name()}${dots}>` : ` [${one.name()}${dots}]`
  })
  const terms = [
    ...command.registeredArguments.flatMap((one) =>
      one.description === '' ? [] : [[`<${one.name()}>`, one.description] as const],
    ),
    ...command.options.map((option) => [option.flags, optionText(option)] as const),
  ]
  const rows = terms.map(([term, message]) => `| \`${term}\` | ${message.replaceAll('|', '\\|')} |`)
  const table = rows.length === 0 ? [] : ['| | |', '|---|---|', ...rows, '']
  const examples = examplesOf(command).map(({ line, message }) => `- \`${line}\`: ${message}`)
  const title = `## \`${name}${words.join('')}\``
  return [title, '', sentence(command.description()), '', ...table, 'Examples:', '', ...examples, ''].join('\n')
}

function optionText({ description, argChoices, defaultValue }: Command['options'][number]): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
  return `${sentence(description).slice(0, -1)}${choices}${defaultValue === undefined ? '' : `; default \`${String(defaultValue)}\``}.`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
