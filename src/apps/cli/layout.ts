import { BUILT_IN } from '#registry/layouts/built-in/built-in.ts'
import type { LayoutInput } from '#registry/layouts/layout.ts'
import type { FieldError } from '#kernel/fields.ts'
import type { MovementRecord, SourceValues } from '#registry/layouts/types.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { command, type CommandDeclaration } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import { outputParameters, save } from './save.ts'
import { say, sentenceOfMessage } from './language.ts'
import { printItems, printJson, printMessage } from './terminal.ts'

/* Layouts without a service: the engine is part of the command line. */

const layoutArgument = 'JSON, the body of POST /operator/v1/layout; or the name of a built-in layout'

const checkCommand = command({
  name: 'check',
  description: 'check a layout without a service',
  examples: { 'layout check layout.json': 'every error with its path; exit code 1 when there is one' },
  parameters: { '<file>': 'JSON, the body of POST /operator/v1/layout; `-` reads standard input' },
  async run({ file, json }) {
    const { readLayout } = await import('#registry/layouts/layout.ts')
    const checked = readLayout(await readInput(file))
    const errors = 'errors' in checked ? checked.errors.map(shownError) : []
    if (json || errors.length > 0) printItems(errors, { FIELD: 'field', CODE: 'code', MESSAGE: 'message' }, json)
    printMessage(errors.length === 0 ? say`The layout can be used.` : say`The layout has ${errors.length} errors.`)
    return errors.length === 0 ? 'ok' : 'refused'
  },
})

const shownError = ({ field, code, message }: FieldError) => ({
  field,
  code,
  message: message === undefined ? '' : sentenceOfMessage(message),
})

const renderCommand = command({
  name: 'render',
  description: 'write the file of movements by a layout without a service',
  examples: {
    'layout render layout.json movements.json --output file.txt':
      '`{ "header": { "contract.contract-number": "900001" }, "movements": [ { "person.name": "Ana", ... } ] }`',
  },
  parameters: {
    '<layout>': layoutArgument,
    '<movements>':
      'JSON: `header`, the values that the file has once, and `movements`, the values of each by source; `family-id` joins a family',
    ...outputParameters,
  },
  async run({ layout, movements, output, yes, json }) {
    const { definition } = await openLayout(layout, true)
    const { renderMovements } = await import('#registry/layouts/render.ts')
    const { problemMessage } = await import('#registry/layouts/problems.ts')
    const { header, records } = movementsOf(movements, parseObject(movements, await readInput(movements)))
    await confirmOverwrite(output, yes)
    const { content, items } = await renderMovements(definition, header, records)
    const problems = items.flatMap((item, index) =>
      item.problems.map((problem) => ({
        movement: index + 1,
        ...problem,
        message: sentenceOfMessage(problemMessage(problem)),
      })),
    )
    if (!json || output !== undefined) await save([content], output)
    if (json) printJson({ items: items.map(({ lineNumbers }) => ({ 'line-numbers': lineNumbers })), problems })
    else for (const { movement, message } of problems) printMessage(say`Movement ${movement}: ${message}`)
    return problems.length === 0 ? 'ok' : 'inPart'
  },
})

const parseCommand = command({
  name: 'parse',
  description: "read a carrier's file by a layout without a service",
  examples: {
    'layout parse mecsas-acknowledgement retorno.csv': 'a line for each that is read, and each that is refused',
  },
  parameters: { '<layout>': layoutArgument, '<file>': "the carrier's file" },
  async run({ layout, file, json }) {
    const { definition } = await openLayout(layout, false)
    const { parseFile } = await import('#registry/layouts/parse.ts')
    const { cellMessage } = await import('#registry/layouts/problems.ts')
    const parsed = await parseFile(definition, await readInput(file)).catch((error: unknown) => {
      throw error instanceof TableError ? refusedFile(file, error) : error
    })
    if (json) printJson(parsed)
    else {
      const values = ({ values: found }: (typeof parsed.lines)[number]) =>
        Object.entries(found)
          .map(([target, value]) => `${target}=${value}`)
          .join(' ')
      printItems(parsed.lines, { LINE: 'line', RECORD: 'record', VALUES: values })
    }
    const { lines, refused, skipped } = parsed
    for (const { line, cells } of json ? [] : refused) {
      for (const cell of cells) printMessage(say`Line ${line}: ${sentenceOfMessage(cellMessage(cell))}`)
    }
    printMessage(say`${lines.length} lines are read, ${refused.length} refused, ${skipped} left out.`)
    return refused.length === 0 ? 'ok' : 'inPart'
  },
})

/** `vigencia layout check`, `render` and `parse`. */
export const layoutCommands: readonly CommandDeclaration[] = [checkCommand, renderCommand, parseCommand]

async function openLayout(name: string, isWritten: boolean): Promise<LayoutInput> {
  const builtIn = BUILT_IN.get(name)
  const layout = builtIn ?? (await readChecked(name))
  if ((layout.direction === 'movement') === isWritten) return layout
  const next = isWritten ? say`Take one of the direction movement.` : say`Take one of another direction than movement.`
  throw new CommandError('usage', say`The layout ${name} is of the direction ${layout.direction}.`, next)
}

async function readChecked(file: string): Promise<LayoutInput> {
  const { readLayout } = await import('#registry/layouts/layout.ts')
  const checked = readLayout(await readInput(file))
  if ('layout' in checked) return checked.layout
  throw new CommandError('refused', say`The layout ${file} cannot be used.`, say`See vigencia layout check ${file}`)
}

/** @throws CommandError for values that are no texts. */
function movementsOf(
  file: string,
  { header = {}, movements }: Readonly<Record<string, unknown>>,
): { readonly header: SourceValues; readonly records: readonly MovementRecord[] } {
  const isValues = (value: unknown): value is SourceValues =>
    typeof value === 'object' && value !== null && Object.values(value).every((member) => typeof member === 'string')
  if (!isValues(header) || !Array.isArray(movements) || !movements.every(isValues)) {
    throw new CommandError('usage', say`${file} must hold texts: a header, and a list of movements.`)
  }
  const records = movements.map((all, index): MovementRecord => {
    const { 'family-id': familyId = String(index), ...values } = all
    return { enrollmentId: values['movement.enrollment-id'] ?? String(index + 1), familyId, values }
  })
  return { header, records }
}

function refusedFile(file: string, { details }: TableError): CommandError {
  const [message] = details.flatMap((detail) =>
    detail.message === undefined ? [] : [sentenceOfMessage(detail.message)],
  )
  return new CommandError('usage', say`${file} is no file of the layout. ${message ?? ''}`.trim())
}
