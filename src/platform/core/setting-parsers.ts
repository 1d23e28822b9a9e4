import { RETENTION_CLASSES, RETENTION_PERIODS } from '#kernel/retention-classes.ts'
import type { RetentionSetting } from '#kernel/retention-days.ts'
import type { BlockList } from 'node:net'
import { isLocalDate } from '#kernel/calendar.ts'
import { StartError } from './errors.ts'
import { parseServers } from './database-url.ts'
import { parseNetworks } from './networks.ts'

/* The types of settings: each reads the text of a variable, or throws a StartError that names it. */

export type Parser<T> = (text: string, variable: string) => T

/** How to make a master key, as the end of an error message. */
export const howToMakeAKey = 'set it to 32 random bytes in base64, as `openssl rand -base64 32` prints them.'

export function text(value: string): string {
  return value
}

export function integer(min: number, max: number): Parser<number> {
  return (value, variable) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new StartError(`${variable} must be a whole number from ${min} to ${max}.`)
  }
}

export function oneOf<T extends string>(...allowed: readonly T[]): Parser<T> {
  return (value, variable) => {
    const found = allowed.find((choice) => choice === value)
    if (found === undefined) throw new StartError(`${variable} must be one of ${allowed.join(', ')}.`)
    return found
  }
}

export function flag(yes: string, no: string): Parser<boolean> {
  const parse = oneOf(yes, no)
  return (value, variable) => parse(value, variable) === yes
}

export function url(...protocols: readonly string[]): Parser<string> {
  return (value, variable) => {
    if (!protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
      throw new StartError(`${variable} must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`)
    }
    // pg accepts a URL without a host: the folder of the socket is then in `?host=`.
    if (!URL.canParse(value.replace('@/', '@localhost/').replace(':///', '://localhost/'))) {
      throw new StartError(
        `${variable} is no address that can be read; special characters in a user or password are written %40 and so on.`,
      )
    }
    return value
  }
}

export function databaseUrl(value: string, variable: string): string {
  const check = url('postgres:', 'postgresql:')
  // Several servers are no URL; one of them is.
  check(parseServers(value)?.list[0]?.url ?? value, variable)
  return value
}

export function networks(value: string, variable: string): BlockList {
  const list = parseNetworks(value)
  if (list === null) {
    throw new StartError(`${variable} must be addresses or CIDRs, separated by commas, such as 10.0.0.0/8,2001:db8::7.`)
  }
  return list
}

export function localDate(value: string, variable: string) {
  if (isLocalDate(value)) return value
  throw new StartError(`${variable} must be a date, YYYY-MM-DD.`)
}

export function masterKey(value: string, variable: string): Buffer {
  const key = Buffer.from(value, 'base64')
  if (key.length !== 32) throw new StartError(`${variable} must be 32 bytes in base64: ${howToMakeAKey}`)
  return key
}

export function operatorClientId(value: string, variable: string): string {
  if (/^[\x21-\x7e]{1,100}$/.test(value)) return value
  throw new StartError(`${variable} must be 1 to 100 printable characters without spaces.`)
}

export function operatorClientSecret(value: string, variable: string): string {
  if (value.length <= 1_000) return value
  throw new StartError(`${variable} must not be longer than 1,000 characters.`)
}

export function emailAddress(value: string, variable: string): string {
  if (/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(value)) return value
  throw new StartError(`${variable} must be an e-mail address, without a name.`)
}

export function rateLimits(value: string, variable: string): string {
  if (value === 'off' || /^\d{1,6}\/\d{1,6}\/\d{1,6}$/.test(value)) return value
  throw new StartError(`${variable} must be off, or reads/writes/authenticate a minute such as 600/120/20.`)
}

/** Days by class; null: without an end. */
export function retention(value: string, variable: string): RetentionSetting {
  const entries = value === '' ? [] : value.split(',').map((entry) => entry.trim().split('='))
  return new Map(
    entries.map(([name, days = '', ...more]) => {
      const found = RETENTION_CLASSES.find(
        (retentionClass) => retentionClass === name && RETENTION_PERIODS[retentionClass].isSetting,
      )
      const isDays = /^\d{1,5}$/.test(days) || days === 'off'
      if (found !== undefined && isDays && more.length === 0) return [found, days === 'off' ? null : Number(days)]
      const classes = RETENTION_CLASSES.filter((retentionClass) => RETENTION_PERIODS[retentionClass].isSetting)
      throw new StartError(
        `${variable} must be CLASS=DAYS or CLASS=off, separated by commas; classes: ${classes.join(', ')}.`,
      )
    }),
  )
}

/** Hours of the day, the last one excluded, such as `1-5`. */
export interface Hours {
  readonly from: number
  readonly until: number
}

/** null: never. */
export function hours(value: string, variable: string): Hours | null {
  if (value === 'off') return null
  const [, from, until] = /^(\d{1,2})-(\d{1,2})$/.exec(value) ?? []
  const found = { from: Number(from), until: Number(until) }
  if (from !== undefined && found.from < found.until && found.until <= 24) return found
  throw new StartError(`${variable} must be off, or two hours of a day such as 1-5.`)
}
