/* `npm run docs`: docs/command-line.md, from the commands themselves. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { examplesOf } from '../src/cli/command-builder.ts'
import { exitCodes } from '../src/cli/errors.ts'
import { buildProgram } from '../src/cli/program.ts'

export const commandLineFile = new URL('../docs/command-line.md', import.meta.url)

const head = `<!-- Made by \`npm run docs\` from src/cli: change it there. -->
# The command line

\`vigencia\` is the service's own program. Some commands run or look after the service and its database, and read the same settings as a
start (see [configuration](configuration.md)). The others call a running service over HTTP, as a partner or as an operator.

## Start

In a clone, \`npx vigencia\` runs it, on the Node that came with the packages. With the demo running on this machine (\`npm start\`) no
credentials are needed: the demo leaves its address and its two clients in \`DATA_DIR/demo-profile.json\`, readable to its user only and
removed when it stops.

\`\`\`sh
npx vigencia company put test/data/company.json
npx vigencia entitlement grant demo-partner 7B4XK2M9000194
npx vigencia include test/data/payroll-1000.json --dry-run
npx vigencia include test/data/payroll-1000.json --watch
\`\`\`

## Profiles

\`vigencia login\` asks for the address of a service, a client id and its secret, tries them, and keeps them in
\`$XDG_CONFIG_HOME/vigencia/profiles.json\`, else \`~/.config/vigencia/profiles.json\`, with mode 0600. A file that others may read is refused. The secret is not
shown, and may come from \`--secret-file\` or standard input instead. Tokens are got when needed and kept in memory.

A profile holds one partner and one operator; each command takes the one that it needs. Commands that both APIs have take the operator, with
\`--as partner\` the partner. Credentials are looked up in this order:

1. the profile of \`--profile NAME\`; \`--profile demo\` is the demo that runs on this data folder;
2. \`VIGENCIA_URL\`, \`VIGENCIA_CLIENT_ID\` and \`VIGENCIA_CLIENT_SECRET\` (or \`VIGENCIA_CLIENT_SECRET_FILE\`), all three, as in a CI job or a container;
3. the profile of \`VIGENCIA_PROFILE\`, else the profile \`default\`;
4. the demo that runs on this data folder.

\`--json\`, \`--profile\` and \`--yes\` may stand before the command: \`vigencia --profile acme company list\`.

## Completion

\`\`\`sh
source <(vigencia completion bash)                                      # bash, in ~/.bashrc
vigencia completion zsh > ~/.zfunc/_vigencia                            # zsh, a folder of $fpath
vigencia completion fish > ~/.config/fish/completions/vigencia.fish     # fish
\`\`\`

## Lists

\`--limit 20\` prints the first 20 items. \`--columns id,status\` selects fields, by their names in the API; \`profile.name\` is a field of an object.
\`--where carrier-name="operadora aurora"\` prints only items with that value, compared without case and accents; several conditions must all hold.
Tables show timestamps to the second; \`--json\` has all digits.

## Questions

These cannot be undone: resolving more than 20 movements, \`client revoke\`, \`operator remove\`, deleting an invoice or a file of one, replacing a file,
\`demo reset\`. In a terminal the command asks first. Without a terminal it is refused (exit code 1) unless \`--yes\` is given.
\`--dry-run\` shows what would be done.

## Output

What was asked for goes to standard output, messages and progress beside it to standard error. In a terminal tables are aligned and progress is
a bar; in a pipe tables have tabs and progress has lines. With \`--json\` standard output holds JSON alone: the service's answer, of a refusal its
error body; a stream of events has a document on each line. Colours are left out in a pipe and when \`NO_COLOR\` is set.

An error is \`error: ...\` on standard error, and how to mend it on the next line.

CPFs and names are printed where data was asked for (\`enrollment list\`, \`member list\`, \`request watch --parts\`, \`--json\`), never in messages.
Offenses name the line of the file: \`payroll.csv:12: invalid-tax-id missing-mothers-name\`.

Ctrl-C ends a command in good order: no half file stays, and what the service has accepted goes on. \`include\` sends an \`Idempotency-Key\` made of
what the file says: the same command repeated within 24 hours gets the first response and doubles nothing. \`exclude\`, \`alter\`, \`cancel\` and
\`answer\` do the same. \`--again\` sends a new call.

## Files

**\`include\`** takes the body of [the inclusion](movements-and-states.md) as JSON, or CSV: a header, then one line for each member and product. The columns
are the fields of a member, and \`product-name\`, \`start-option\`, \`product-type\` (looked up when absent) and \`company-tax-id\` (or
\`--company-tax-id\`). Lines that agree in all fields of the member are one member with several products. Commas or semicolons; UTF-8 or Windows-1252;
\`salary\` in cents.

**\`exclude file\`** takes the body of the exclusion of several members as JSON, or CSV with a line for each person: \`tax-id\`, \`end-date\`,
\`exclusion-reason\`, and optionally \`exclusion-reason-details\`, \`extension-plan\`, \`reference\`, \`company-tax-id\`, and one of \`product-id\`, \`benefit-id\` and
\`primary-member-tax-id\` for less than everything that the person has. \`--end-date\` and \`--reason\` fill empty cells. Semicolons, commas or tabs.

**\`enrollment decide\`** takes CSV with the columns \`enrollment-id\`, \`status\`, \`card-number\`, \`start-date\`, \`end-date\`, \`reason\`, or the same as NDJSON.

**\`member export\`** as CSV has one line for each benefit. A name that a spreadsheet would run as a formula gets an apostrophe in front.

**\`backup\`** writes the database as it stands at one moment, and the files of the folder storage, encrypted and authenticated under a key that is derived from the
master key. The master key is not in it, nor are files in an S3-compatible store. \`restore\` needs the same master key; it reads the whole file first and
refuses one that was cut short or altered anywhere. It needs an empty database, and a version that knows the backup's migrations. \`backup verify\` does that check
alone. See [operating](operating.md#backup).

## Exit codes

| Code | Meaning |
|---|---|
`

/** The page as it stands in docs/. */
export function commandLineText(): string {
  const program = buildProgram()
  const codes = Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  const leaves = program.commands.flatMap((command) => leavesOf(command, 'vigencia'))
  return `${head}${codes.join('\n')}\n\n## Commands\n\n${leaves.join('\n')}`
}

function leavesOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`
  // A command may have an action of its own beside the commands that it holds.
  const own = command.commands.length === 0 || examplesOf(command).length > 0 ? [section(command, name)] : []
  return [...own, ...command.commands.flatMap((one) => leavesOf(one, name))]
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
  const examples = examplesOf(command).flatMap(({ line, message }) => [`# ${message}`, line])
  return [
    `### ${name}${words.join('')}`,
    '',
    sentence(command.description()),
    '',
    ...table,
    '```sh',
    ...examples,
    '```',
    '',
  ].join('\n')
}

function optionText({ description, argChoices, defaultValue }: Command['options'][number]): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
  return `${sentence(description).slice(0, -1)}${choices}${defaultValue === undefined ? '' : `; default \`${String(defaultValue)}\``}.`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

if (import.meta.main) await writeFile(commandLineFile, commandLineText())
