import { type Config, readConfig, readVariables } from '#platform/core/config.ts'
import { prefix, type Setting, settings } from '#platform/core/settings.ts'
import { command } from './command-builder.ts'
import { printItems } from './terminal.ts'

/** `vigencia config`. */
export const configCommand = command({
  name: 'config',
  description: 'show every setting with its effective value; secrets stay hidden',
  examples: { config: 'what a start with this environment would use', 'config --json': 'the same for a script' },
  run({ json }) {
    // Refuses what a start would refuse, with its sentence.
    const config = readConfig(process.env)
    const texts = readVariables(process.env)
    const rows = (Object.entries(settings) as [keyof Config, Setting][]).map(([field, setting]) => ({
      name: prefix + setting.name,
      value: effective(config, field, setting, texts.get(setting.name)),
      source: sourceOf(texts, setting.name),
      secret: setting.secret,
      meaning: setting.description,
    }))
    printItems(rows, { SETTING: 'name', VALUE: 'value', SOURCE: 'source' }, json)
  },
})

/** The value as it would be written in the environment; in words where it is made later. */
function effective(config: Config, field: keyof Config, setting: Setting, text: string | undefined): string {
  if (text !== undefined) return setting.secret ? '(hidden)' : text
  if (setting.default !== null) return setting.default
  // A boolean without a default follows from other settings, and so does an address or a folder.
  const value = config[field]
  if (typeof value === 'boolean') return String(value)
  const { host, port, dataDir } = config
  return setting.absent
    .replaceAll('`', '')
    .replace('DATA_DIR', dataDir)
    .replace('HOST:PORT', `${host.includes(':') ? `[${host}]` : host}:${port}`)
}

function sourceOf(texts: ReadonlyMap<string, string>, name: string): string {
  if (!texts.has(name)) return 'default'
  return (process.env[prefix + name] ?? '') === '' ? 'file' : 'environment'
}
