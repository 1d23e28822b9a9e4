import type { TemplateLanguage } from '../domain/import-columns.ts'
import { printJson } from './terminal.ts'

/** Prints the header of a CSV to fill in. */
export function printTemplate(language: TemplateLanguage, template: string, json: boolean | undefined): void {
  if (json) printJson({ language, columns: template.trim().split(';') })
  else process.stdout.write(template)
}
