import { readFileSync } from 'node:fs'

/** The version of the program, from package.json. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/**
 * The version of the interface, `info.version` of the OpenAPI document: the first number is that of the paths (`/v1`), the second grows with
 * additions, the third with corrections of the document. It is not that of the program.
 */
export const apiVersion = '1.1.0'
