import { type DefaultTheme, useData, type Theme, withBase } from 'vitepress'
import Default from 'vitepress/theme-without-fonts'
import { h, onMounted } from 'vue'
import { indexOptions, processTerm, searchOptions } from '../../search.ts'
import './style.css'

type Options = DefaultTheme.LocalSearchOptions

const words = {
  en: { reference: 'API reference', console: 'Console', other: 'Português', otherLanguage: 'pt-BR' },
  'pt-BR': { reference: 'Referência da API', console: 'Console', other: 'English', otherLanguage: 'en' },
} as const

/** The other pages of the service, and this page in the other language. Not VitePress's own menu: that leads to pages which may have no translation. */
const Links = {
  setup() {
    const { frontmatter, lang } = useData()
    return () => {
      const { reference, console, other, otherLanguage } = words[lang.value === 'pt-BR' ? 'pt-BR' : 'en']
      // Outside of the site: VitePress leaves a link with a target to the browser.
      return h('span', { class: 'service-links' }, [
        h('a', { href: '/docs', target: '_self' }, reference),
        h('a', { href: '/console/', target: '_self' }, console),
        h(
          'a',
          { href: withBase(frontmatter.value['twin'] ?? '/'), lang: otherLanguage, hreflang: otherLanguage },
          other,
        ),
      ])
    }
  },
}

export default {
  extends: Default,
  setup() {
    // The other pages of the service lead to the search with `?search`.
    onMounted(() => {
      if (!new URLSearchParams(location.search).has('search')) return
      history.replaceState(history.state, '', location.pathname)
      document.querySelector<HTMLElement>('.DocSearch-Button')?.click()
    })
  },
  enhanceApp({ siteData }) {
    // Here, since the configuration holds no functions: see site/search.ts.
    const { options } = (siteData.value.themeConfig as DefaultTheme.Config).search as { options: Options }
    options.miniSearch = { options: { ...indexOptions, processTerm }, searchOptions }
  },
  Layout: () =>
    h(Default.Layout, null, { 'nav-bar-content-after': () => h(Links), 'nav-screen-content-after': () => h(Links) }),
} satisfies Theme
