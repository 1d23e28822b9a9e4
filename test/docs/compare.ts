/* Whether the output of a sample is what its page shows. */

/** What differs at every run: it matches any of its form. */
const forms = [
  { name: 'anything', shown: '…', matches: '[^]*?' },
  {
    name: 'timestamp',
    shown: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
    matches: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  },
  {
    name: 'uuid',
    shown: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    matches: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  },
  { name: 'date', shown: '\\d{4}-\\d\\d-\\d\\d', matches: '' },
  { name: 'token', shown: 'eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+', matches: '[\\w-]+\\.[\\w-]+\\.[\\w-]+' },
  { name: 'secret', shown: '(?:whsec_[\\w+/=]{20,}|(?<![\\w-])[\\w-]{43}(?![\\w-]))', matches: '[\\w+/=-]{20,}' },
]

const anyForm = new RegExp(forms.map(({ name, shown }) => `(?<${name}>${shown})`).join('|'), 'g')

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** @param todays the dates that the service may have returned as today's. */
function patternOf(shown: string, todays: readonly string[]): RegExp {
  let source = ''
  let from = 0
  for (const found of shown.matchAll(anyForm)) {
    const name = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0]
    const matches = forms.find((form) => form.name === name)?.matches ?? ''
    source += escaped(shown.slice(from, found.index))
    source += name === 'date' ? `(?:${[found[0], ...todays].join('|')})` : matches
    from = found.index + found[0].length
  }
  return new RegExp(`^${source}${escaped(shown.slice(from))}$`)
}

const linesOf = (text: string) => text.trim().replaceAll(/[ \t]+$/gm, '')

/** Where the text is not what the page shows; null when it is. */
export function textDifference(shown: string, actual: string, todays: readonly string[]): string | null {
  return patternOf(linesOf(shown), todays).test(linesOf(actual)) ? null : `it prints\n${actual}`
}

/** Where the output is not the JSON that the page shows; null when it is. */
export function jsonDifference(shown: string, actual: string, todays: readonly string[]): string | null {
  let value: unknown
  try {
    value = JSON.parse(actual)
  } catch {
    return `it prints no JSON:\n${actual}`
  }
  const found = differences(JSON.parse(shown), value, '', todays)
  return found.length === 0 ? null : `${found.join('\n')}\nit prints\n${JSON.stringify(value, null, 2)}`
}

function differences(shown: unknown, actual: unknown, at: string, todays: readonly string[]): string[] {
  const here = at === '' ? 'the value' : at
  if (shown === '…') return []
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${here} is no array`]
    const hasMore = shown.at(-1) === '…'
    const items: unknown[] = hasMore ? shown.slice(0, -1) : shown
    const isLength = hasMore ? actual.length >= items.length : actual.length === items.length
    const length = isLength ? [] : [`${here} has ${actual.length} items, not ${shown.length}`]
    return [...length, ...items.flatMap((item, index) => differences(item, actual[index], `${at}[${index}]`, todays))]
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [`${here} is no object`]
    const values = new Map(Object.entries(actual))
    return Object.entries(shown).flatMap(([key, value]) =>
      key === '…'
        ? []
        : values.has(key)
          ? differences(value, values.get(key), `${at}.${key}`, todays)
          : [`${at}.${key} is missing`],
    )
  }
  const isEqual =
    typeof shown === 'string' && typeof actual === 'string' ? patternOf(shown, todays).test(actual) : shown === actual
  return isEqual ? [] : [`${here} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`]
}
