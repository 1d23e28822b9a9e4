import type { Command } from 'commander'
import { type Config, readConfig, readVariables, settings } from '../platform/config.ts'
import { answering, type CommandOptions } from './command-builder.ts'
import { printJson, printTable } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** `vigencia config`. */
export function configCommand(context: CommandContext): Command {
  return answering('config', 'show every setting with its effective value; secrets stay hidden', [
    ['config', 'what a start with this environment would use'],
    ['config --json', 'the same for a script'],
  ]).action((options: CommandOptions) => showConfig(context, options))
}

function showConfig(context: CommandContext, options: CommandOptions): void {
  // Refuses what a start would refuse, with its sentence.
  const config = readConfig(context.environment)
  const given = readVariables(context.environment)
  const rows = settings.map(({ name, default: preset, meaning, secret }) => ({
    name: `VIGENCIA_${name}`,
    value:
      secret && given.has(name)
        ? '(hidden)'
        : (effective(config, name) ?? given.get(name) ?? preset.replaceAll('`', '')),
    source: given.has(name) ? sourceOf(context, name) : 'default',
    secret: secret === true,
    meaning,
  }))
  if (options.json) printJson(context, { result: rows })
  else
    printTable(
      context,
      ['SETTING', 'VALUE', 'SOURCE'],
      rows.map((row) => [row.name, row.value, row.source]),
    )
}

/** The value in the configuration, whose fields are named as the settings are; null where it is made later or unknown. */
function effective(config: Config, name: string): string | null {
  const field = name.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const value: unknown = (config as unknown as Record<string, unknown>)[field]
  if (typeof value === 'boolean' && name === 'NAMED_STATEMENTS') return value ? 'on' : 'off'
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

function sourceOf(context: CommandContext, name: string): string {
  return (context.environment[`VIGENCIA_${name}`] ?? '') === '' ? 'file' : 'environment'
}
