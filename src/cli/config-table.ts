import type { Command } from 'commander'
import { type Config, readConfig, readVariables, settings } from '../platform/config.ts'
import { answering, type Asked } from './command-builder.ts'
import { printJson, printTable } from './terminal.ts'
import type { World } from './context.ts'

/** `vigencia config`. */
export function configCommand(world: World): Command {
  return answering('config', 'show every setting with its effective value; secrets stay hidden', [
    ['config', 'what a start with this environment would use'],
    ['config --json', 'the same for a script'],
  ]).action((asked: Asked) => showConfig(world, asked))
}

function showConfig(world: World, asked: Asked): void {
  // Refuses what a start would refuse, with its sentence.
  const config = readConfig(world.environment)
  const given = readVariables(world.environment)
  const rows = settings.map(({ name, default: preset, meaning, secret }) => ({
    name: `VIGENCIA_${name}`,
    value:
      secret && given.has(name)
        ? '(hidden)'
        : (effective(config, name) ?? given.get(name) ?? preset.replaceAll('`', '')),
    source: given.has(name) ? sourceOf(world, name) : 'default',
    secret: secret === true,
    meaning,
  }))
  if (asked.json) printJson(world, { result: rows })
  else
    printTable(
      world,
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

function sourceOf(world: World, name: string): string {
  return (world.environment[`VIGENCIA_${name}`] ?? '') === '' ? 'file' : 'environment'
}
