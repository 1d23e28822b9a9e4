import type { Command } from 'commander'
import { type Config, readConfig, readVariables } from '../platform/config.ts'
import { prefix, type Setting, settings } from '../platform/settings.ts'
import { jsonCommand, type CommandOptions } from './command-builder.ts'
import { printJson, printTable } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** `vigencia config`. */
export function configCommand(context: CommandContext): Command {
  return jsonCommand('config', 'show every setting with its effective value; secrets stay hidden', [
    ['config', 'what a start with this environment would use'],
    ['config --json', 'the same for a script'],
  ]).action((options: CommandOptions) => showConfig(context, options))
}

function showConfig(context: CommandContext, options: CommandOptions): void {
  // Refuses what a start would refuse, with its sentence.
  const config = readConfig(context.environment)
  const texts = readVariables(context.environment)
  const rows = (Object.entries(settings) as [keyof Config, Setting][]).map(([field, setting]) => ({
    name: prefix + setting.name,
    value: effective(config[field], setting, texts.get(setting.name)),
    source: sourceOf(context, texts, setting.name),
    secret: setting.secret,
    meaning: setting.description,
  }))
  if (options.json) printJson(context, { result: rows })
  else
    printTable(
      context,
      ['SETTING', 'VALUE', 'SOURCE'],
      rows.map((row) => [row.name, row.value, row.source]),
    )
}

/** The value as it would be written in the environment; in words where it is made later or unknown. */
function effective(value: unknown, setting: Setting, text: string | undefined): string {
  if (text !== undefined) return setting.secret ? '(hidden)' : text
  // A boolean without a default follows from other settings.
  return setting.default ?? (typeof value === 'boolean' ? String(value) : setting.absent.replaceAll('`', ''))
}

function sourceOf(context: CommandContext, texts: ReadonlyMap<string, string>, name: string): string {
  if (!texts.has(name)) return 'default'
  return (context.environment[prefix + name] ?? '') === '' ? 'file' : 'environment'
}
