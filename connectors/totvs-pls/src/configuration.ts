import { readFileSync } from 'node:fs'

/** The file of the configuration, see `configuration.example.json`. Secrets come from the environment. */
export interface Configuration {
  readonly listen: { readonly host: string; readonly port: number }
  readonly 'state-folder': string
  /** Between two readings of the protocols in analysis. */
  readonly 'poll-seconds': number
  readonly vigencia: { readonly url: string; readonly 'client-id': string }
  readonly pls: PlsConfiguration
  readonly codes: Codes
}

export interface PlsConfiguration {
  /** With `/rest`. */
  readonly url: string
  readonly username: string
  /** As whom protocols are made. */
  readonly 'login-user': string
  /** Where contracts are looked up; it is the installation's own. */
  readonly 'contract-path': string
  /** Its query; `$sub-contract` is that field of the contract. */
  readonly 'contract-query': Readonly<Record<string, string>>
  /** The status that each number of a protocol means. Another one is in analysis. */
  readonly statuses: Readonly<Record<string, 'in-analysis' | 'approved' | 'refused'>>
}

/** The code tables of the carrier. A value that is not in its table is refused as `no-code`. */
export interface Codes {
  readonly gender: CodeTable
  readonly 'marital-status': CodeTable
  /** By the relationship, or `relationship/gender`. */
  readonly kinship: CodeTable
  readonly 'exclusion-reason': CodeTable
  readonly unblock: string
}
type CodeTable = Readonly<Record<string, string>>

/** @throws Error for a file that is not complete. */
export function readConfiguration(path: string): Configuration {
  const configuration = JSON.parse(readFileSync(path, 'utf8')) as Configuration
  const example = JSON.parse(
    readFileSync(new URL('../configuration.example.json', import.meta.url), 'utf8'),
  ) as Configuration
  const missing = missingKeys(configuration, example)
  if (missing.length > 0) throw new Error(`The configuration ${path} lacks ${missing.join(', ')}`)
  return configuration
}

/** The keys of the first two levels that the example has; what is below them is the carrier's. */
function missingKeys(given: object, example: object, prefix = ''): string[] {
  return Object.entries(example).flatMap(([key, value]: [string, unknown]) => {
    const found = (given as Record<string, unknown>)[key]
    if (typeof found !== typeof value) return [prefix + key]
    if (prefix !== '' || typeof value !== 'object' || value === null) return []
    return missingKeys(found as object, value, `${key}.`)
  })
}
