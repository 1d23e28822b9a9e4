import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  base: '/console/',
  plugins: [firstTexts, react()],
  build: {
    target: 'es2022',
    rolldownOptions: { input: ['index.html', 'document.html'] },
    // Asset URLs in CSS and HTML: an inlined `data:` URL would need an exception in the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1600,
  },
  server: { proxy: { '/operator': 'http://127.0.0.1:3000' } },
})
