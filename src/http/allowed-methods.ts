import type { App } from './context.ts'

/** The methods that a path has, by the route templates; called only when no route matches. To be set up before routes are added. */
export function allowedMethods(app: App): (path: string) => string[] {
  const templates: { segments: string[]; method: string }[] = []
  app.addHook('onRoute', (route) => {
    const segments = route.url.split('/')
    for (const method of [route.method].flat()) templates.push({ segments, method })
  })
  return (path) => {
    const sent = path.split('/')
    const matches = (segments: readonly string[]): boolean =>
      segments.length === sent.length &&
      segments.every((segment, index) => (segment.startsWith(':') ? sent[index] !== '' : sent[index] === segment))
    return [...new Set(templates.filter(({ segments }) => matches(segments)).map(({ method }) => method))]
  }
}
