import { readFileSync } from 'node:fs'

/** The version of the program, from package.json. */
export const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The version of the interface document, `info.version` of the OpenAPI document. That of the program is `x-service-version` there. */
export const apiVersion = '0.2.0'
