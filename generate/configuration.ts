/* The tables of docs/reference/configuration.md, from those in src/platform/core/settings.ts. */
import { prefix, type Setting, settings } from '#platform/core/settings.ts'

/** A table for each group of settings. */
export function settingsText(): string {
  const groups = Map.groupBy(Object.values(settings) as Setting[], ({ group }) => group)
  const tables = [...groups].map(
    ([group, some]) => `## ${group}\n\n| Setting | Default | Meaning |\n|---|---|---|\n${some.map(row).join('\n')}\n`,
  )
  return tables.join('\n')
}

function row({ name, absent, description, secret }: Setting): string {
  const cells = [`\`${prefix}${name}\`${secret ? ' **secret**' : ''}`, absent, description]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
