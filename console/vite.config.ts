import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { icons as tabler } from '@iconify-json/tabler'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/**
 * `texts/*.json?first` is what the first page needs, in a module of its own. The other texts are loaded with the pages that show them.
 * `?onboarding` is what the page of an onboarding link needs.
 */
const parts: Readonly<Record<string, (texts: Record<string, Record<string, unknown>>) => object>> = {
  first: ({ errors, terms }) => ({ errors, terms }),
  onboarding: ({ terms: { gender, maritalStatus, dependentType, documentType, productType } = {} }) => ({
    terms: { gender, maritalStatus, dependentType, documentType, productType },
  }),
}

const partsOfTexts: Plugin = {
  name: 'parts-of-texts',
  load(id) {
    const [file = '', query = ''] = id.split('?')
    const part = file.endsWith('.json') ? parts[query] : undefined
    if (part === undefined) return null
    const texts = part(JSON.parse(readFileSync(file, 'utf8')))
    const code = Object.entries(texts).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    return { code: code.join('\n'), moduleType: 'js' }
  },
}

/** `icon:key`: a component that draws the icon of Tabler of this name. The package has one file with all of them, a fiftieth of one with components. */
const icons: Plugin = {
  name: 'icons',
  resolveId: (id) => (id.startsWith('icon:') ? id : null),
  load(id) {
    if (!id.startsWith('icon:')) return null
    const body = tabler.icons[id.slice('icon:'.length)]?.body
    if (body === undefined) throw new Error(`Tabler has no ${id}`)
    // The attributes of lines are those of the whole.
    const lines = body.replaceAll(/ (?:fill|stroke[a-z-]*)="[^"]*"/g, '')
    const style = 'fill="none" stroke="currentColor" strokeLinecap="round" strokeLinejoin="round"'
    const code = `export default ({ size = 24, stroke = 2, ...others }) =>
      <svg width={size} height={size} viewBox="0 0 24 24" ${style} strokeWidth={stroke} {...others}>${lines}</svg>`
    return { code, moduleType: 'jsx' }
  },
}

/** What the page of onboarding links shares with the console. */
const ofReactPages =
  /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]src[\\/](kernel[\\/]enums|forms[\\/]kept-storage)\.ts$/
const notOfOtherPages =
  /^(?!.*([\\/]document(-frame[\\/]|\.html)|console[\\/](src[\\/]onboarding[\\/]|onboarding\.html)|\.json\?onboarding))/

/** Mantine exports all components by one file: these are imported with it, and used by other pages only. */
const notNeededBySignIn =
  /^(?!.*([\\/](NumberInput|MultiSelect|Combobox|Select|Popover|Table|Switch|Checkbox|Radio|SimpleGrid|Textarea|Menu|Modal|Pill|PillsInput|FileInput|ModalBase)[\\/]|[\\/]ScrollArea[\\/](?!utils)|floating-ui|react-number-format))/

let signIn: Set<string> | undefined

/** The page of the sign-in and all that it imports: without it nobody waits for what only other pages share. */
function neededBySignIn(modules: Pick<Rolldown.PluginContext, 'getModuleInfo'>): Set<string> {
  if (signIn !== undefined) return signIn
  signIn = new Set([fileURLToPath(new URL('src/sign-in/sign-in-page.tsx', import.meta.url))])
  for (const id of signIn) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) signIn.add(imported)
  return signIn
}

export default defineConfig({
  base: '/console/',
  plugins: [partsOfTexts, icons, react()],
  build: {
    target: 'es2022',
    rolldownOptions: {
      input: ['index.html', 'document.html', 'onboarding.html'],
      output: {
        codeSplitting: {
          // A few files instead of a hundred, each a request.
          groups: [
            // What several pages share: those of documents and of onboarding links must not load the console.
            { name: 'base', test: /^\0/, tags: ['$initial'], priority: 3 },
            { name: 'react', test: ofReactPages, tags: ['$initial'], priority: 3 },
            { name: 'first', test: notOfOtherPages, tags: ['$initial'], priority: 2 },
            {
              debugName: 'sign-in',
              test: notNeededBySignIn,
              name: (id, modules) => (neededBySignIn(modules).has(id) ? 'sign-in' : null),
              minShareCount: 6,
              priority: 1,
            },
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
    // Asset URLs in CSS and HTML: an inlined `data:` URL would need an exception in the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: { '/operator': 'http://127.0.0.1:3000', '/onboarding/v1': 'http://127.0.0.1:3000' } },
})
