import { isObject } from '#kernel/fields.ts'

/* What a GET answers is a body of the PUT of the same thing: see `takesShown` of a route. */

interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

const takesNull = ({ type, anyOf = [] }: Schema): boolean => [type].flat().includes('null') || anyOf.some(takesNull)

/**
 * A body without the envelope `result`, and without what only the response has: ids of the path, times, what is calculated, and null for what a
 * body leaves out.
 * @param response the schema of the 200, which has the thing as `result`.
 */
export function writablePart(body: unknown, accepted: Schema, response: unknown): unknown {
  const shown = (response as Schema | undefined)?.properties?.['result']?.properties
  if (shown === undefined || !isObject(body)) return body
  const properties = accepted.properties ?? {}
  const { result } = body
  const isEnvelope = isObject(result) && Object.keys(body).length === 1 && !Object.hasOwn(properties, 'result')
  const isRead = ([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(shown, name)) return true
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    return schema !== undefined && (value !== null || takesNull(schema))
  }
  return Object.fromEntries(Object.entries(isEnvelope ? result : body).filter(isRead))
}
