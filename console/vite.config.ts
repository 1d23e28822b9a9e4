import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const query = '?first'

/** Of `texts/*.json?first`: what the first page needs, in a module of its own. The other texts are loaded with the pages that show them. */
const firstTexts: Plugin = {
  name: 'first-texts',
  load(id) {
    if (!id.endsWith(`.json${query}`)) return null
    const texts = JSON.parse(readFileSync(id.slice(0, -query.length), 'utf8')) as Record<string, object>
    const code = ['errors', 'terms'].map((name) => `export const ${name} = ${JSON.stringify(texts[name])}`)
    return { code: code.join('\n'), moduleType: 'js' }
  },
}

/** Mantine exports all components by one file: these are imported with it, and used by other pages only. */
const notNeededBySignIn =
  /^(?!.*([\\/](NumberInput|MultiSelect|Combobox|Select|Popover|Table|Switch|Checkbox|Radio|SimpleGrid|Textarea|Menu|Modal|Pill|PillsInput|FileInput|ScrollArea[\\/]ScrollArea)[\\/]|floating-ui|react-number-format))/

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
  plugins: [firstTexts, react()],
  build: {
    target: 'es2022',
    rolldownOptions: {
      input: ['index.html', 'document.html'],
      output: {
        codeSplitting: {
          // A few files instead of a hundred, each a request.
          groups: [
            // Of both pages: the one of documents must not load the console.
            { name: 'base', test: /^\0/, tags: ['$initial'], priority: 3 },
            { name: 'first', test: /^(?!.*[\\/]document(-frame[\\/]|\.html))/, tags: ['$initial'], priority: 2 },
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
  server: { proxy: { '/operator': 'http://127.0.0.1:3000' } },
})
