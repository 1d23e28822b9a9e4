/* The text of docs/reference/cli/index.md beside what is made from the commands. */

export const indexHead = `# Command line

\`vigencia\` is the program of the service. Some commands run or maintain the service and its database, with the [settings](../configuration.md) of a start. The others call a running
service over HTTP, as a partner or as an operator.

In a clone, \`npx vigencia\` runs it with the Node of the npm packages. While the demo runs on the same machine (\`npm start\`), no credentials are needed: the demo writes its
address and its two clients to \`DATA_DIR/demo-profile.json\`, which only its user can read, and removes the file when it stops.

\`\`\`sh
npm start
\`\`\`

\`\`\`sh
npx vigencia company put test/data/company.json
npx vigencia entitlement grant demo-partner 7B4XK2M9000194
npx vigencia include test/data/payroll-1000.json --dry-run
\`\`\`

## Commands
`

export const indexFoot = `\`vigencia help COMMAND\` shows the options and examples of a command.

## Profiles

\`vigencia login\` asks for the address of a service, a client id and its secret, tries them, and saves them in \`$XDG_CONFIG_HOME/vigencia/profiles.json\`, else
\`~/.config/vigencia/profiles.json\`, with mode 0600. A file that others can read is refused. The secret is not shown, and may come from \`--secret-file\` or standard input
instead. Tokens are fetched when needed and stored in memory only.

A profile has one partner and one operator; each command uses the one that it needs. Commands that both APIs have use the operator, with \`--as partner\` the partner. Credentials
are looked up in this order:

1. the profile of \`--profile NAME\`; \`--profile demo\` is the demo that runs on this data folder;
2. \`VIGENCIA_URL\`, \`VIGENCIA_CLIENT_ID\` and \`VIGENCIA_CLIENT_SECRET\` (or \`VIGENCIA_CLIENT_SECRET_FILE\`), all three, as in a CI job or a container;
3. the profile of \`VIGENCIA_PROFILE\`, else the profile \`default\`;
4. the demo that runs on this data folder.

\`--json\`, \`--profile\` and \`--yes\` may stand before the command: \`vigencia --profile acme company list\`.

## Completion

| Shell | Set up |
|---|---|
| bash | \`source <(vigencia completion bash)\` in \`~/.bashrc\` |
| zsh | \`vigencia completion zsh > ~/.zfunc/_vigencia\`, a folder of \`$fpath\` |
| fish | \`vigencia completion fish > ~/.config/fish/completions/vigencia.fish\` |

## Lists

\`--limit 20\` prints the first 20 items. \`--columns id,status\` selects fields by their names in the API; \`profile.name\` is a field of an object.
\`--where carrier-name="operadora aurora"\` prints only items with that value, compared without case and accents; of several conditions all must hold. Tables show timestamps to
the second; \`--json\` has all digits.

## Confirmation

These cannot be undone: resolving more than 20 movements, \`client revoke\`, \`operator remove\`, deleting an invoice or a file of one, replacing a file, \`demo reset\`. In a terminal
the command asks first. Without a terminal it is refused (exit code 1) unless \`--yes\` is given. \`--dry-run\` shows what would be done.

## Output

The result goes to standard output, messages and progress to standard error. In a terminal tables are aligned and progress is a bar; in a pipe tables have tabs and progress has
lines. With \`--json\` standard output has JSON only: the response of the service, the error body when it is an error; of a stream of events a document on each line. There are no colors in a pipe and
when \`NO_COLOR\` is set.

An error is \`error: ...\` on standard error, with what to do on the next line. CPFs and names are printed where data was requested (\`enrollment list\`, \`member list\`,
\`request watch --parts\`, \`--json\`), never in messages. Offenses name the line of the file: \`payroll.csv:12: invalid-tax-id missing-mothers-name\`.

Ctrl-C ends a command in order: no incomplete file remains, and what the service has accepted continues. \`include\` sends an \`Idempotency-Key\` derived from the content of the file:
the same command repeated within 24 hours gets the first response and duplicates nothing. \`exclude\`, \`alter\`, \`cancel\` and \`answer\` do the same. \`--again\` sends a new call.

## Files

| Command | File |
|---|---|
| \`include\` | The body of the inclusion as JSON, or CSV with a line for each member and product. The columns are the fields of a member, and \`product-name\`, \`start-option\`, \`product-type\` (looked up when absent) and \`company-tax-id\` (or \`--company-tax-id\`). Headers, words, dates and money may be in Portuguese, as in [an import](../import-columns.md): the same spreadsheet serves both, \`--start-option\` sets how cover starts where the file does not. \`include template\` writes all columns. Others are ignored, with a warning. Lines with the same fields of the member are one member with several products. |
| \`exclude file\` | The body of the exclusion of several members as JSON, or CSV with a line for each person: \`tax-id\`, \`end-date\`, \`exclusion-reason\`, and optionally \`exclusion-reason-details\`, \`extension-plan\`, \`reference\`, \`company-tax-id\`, and one of \`product-id\`, \`benefit-id\` and \`primary-member-tax-id\` for less than everything that the person has; dates also as \`dd/mm/yyyy\`. \`--end-date\` and \`--reason\` fill empty cells. |
| \`alter file\` | The body of the alteration of several members as JSON. |
| \`enrollment decide\` | CSV with the columns \`enrollment-id\`, \`status\`, \`card-number\`, \`start-date\`, \`end-date\`, \`reason\`, or the same as NDJSON: [files of decisions](../decisions-file.md). |
| \`import\` | CSV or NDJSON: [columns of an import](../import-columns.md). |
| \`member export\` | CSV has one line for each benefit, for a spreadsheet program of Brazil: \`;\`, UTF-8 with a byte order mark, lines end with CR LF. A cell that it would run as a formula gets an apostrophe in front, which an import ignores. |

## Exit codes

| Code | Meaning |
|---|---|`
