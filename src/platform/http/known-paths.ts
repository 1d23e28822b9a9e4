import type { Message } from '#kernel/messages.ts'
import { nearest } from '#kernel/nearest.ts'
import type { App } from './context.ts'
import { kebab } from './validation.ts'

interface KnownPaths {
  /** The methods that a path has. */
  methods(path: string): string[]
  /** What was probably meant by a path that does not exist; null when nothing is near. */
  hint(path: string): Message | null
}

/** A formatted CNPJ whose slash was not encoded: two segments for the router. */
const SPLIT_CNPJ = /\/([A-Za-z0-9]{2}\.[A-Za-z0-9]{3}\.[A-Za-z0-9]{3})\/([A-Za-z0-9]{4}-\d{2})(?=\/|$)/g

/** The paths of the route templates; looked up only when no route matches. To be set up before routes are added. */
export function knownPaths(app: App): KnownPaths {
  const templates: { segments: string[]; method: string }[] = []
  app.addHook('onRoute', (route) => {
    const segments = route.url.split('/')
    for (const method of [route.method].flat()) templates.push({ segments, method })
  })
  const methods = (path: string) => {
    const sent = path.split('/')
    const matching = templates.filter(({ segments }) => differences(segments, sent)?.length === 0)
    return [...new Set(matching.map(({ method }) => method))]
  }
  return {
    methods,
    hint(path) {
      const joined = path.replaceAll(SPLIT_CNPJ, '/$1$2')
      if (joined !== path && methods(joined).length > 0) {
        return { key: 'path-cnpj' }
      }
      for (const sent of [path.split('/'), `/v1${path}`.split('/')]) {
        const meant = templates.find(({ segments }) => isMisspelt(segments, sent))
        if (meant !== undefined) return { key: 'did-you-mean', name: meant.segments.map(documented).join('/') }
      }
      return null
    },
  }
}

/** The indexes of the segments that differ; null for a path of another length. A parameter takes any text. */
function differences(segments: readonly string[], sent: readonly string[]): number[] | null {
  if (segments.length !== sent.length) return null
  const isSame = (segment: string, index: number) =>
    segment.startsWith(':') ? sent[index] !== '' : sent[index] === segment
  return segments.flatMap((segment, index) => (isSame(segment, index) ? [] : [index]))
}

/** Whether at most one segment differs, by a few letters or by its number. */
function isMisspelt(segments: readonly string[], sent: readonly string[]): boolean {
  const [index, ...others] = differences(segments, sent) ?? [-1]
  if (index === undefined) return true
  const [segment = '', word = ''] = [segments[index], sent[index]?.slice(0, 100)]
  const singular = word.replace(/ies$/, 'y').replace(/s$/, '')
  return others.length === 0 && word !== '' && nearest(singular, [segment]) !== null
}

/** A segment of a template as in the OpenAPI document. */
function documented(segment: string): string {
  return segment.startsWith(':') ? `{${kebab(segment.slice(1))}}` : segment
}
