import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

/** Those that are offered. */
export const languages = ['pt-BR', 'en'] as const
/** `en-XA` is the pseudo-locale of the tests. */
export type Language = (typeof languages)[number] | 'en-XA'

const storageKey = 'vigencia-language'

const catalogues = {
  'pt-BR': () => import('./pt-BR/catalogue.ts'),
  en: () => import('./en/catalogue.ts'),
  'en-XA': () => import('./en-XA/catalogue.ts'),
}

/** What the first page does not need. */
const laterTexts = {
  'pt-BR': () => import('./pt-BR/later.ts'),
  en: () => import('./en/later.ts'),
  'en-XA': () => import('./en-XA/later.ts'),
}
let hasLaterTexts = false

function languageOf(tag: string | null): Language {
  return tag !== null && Object.hasOwn(catalogues, tag) ? (tag as Language) : 'pt-BR'
}

/** The language of the last visit; Portuguese at the first. */
export function initialLanguage(): Language {
  return languageOf(localStorage.getItem(storageKey))
}

/** The language of the texts, as a BCP 47 tag. */
export function currentLanguage(): Language {
  return languageOf(i18next.language ?? null)
}

/** Loads the texts of a language and shows them from now on. */
export async function startLanguage(language: Language): Promise<void> {
  const { catalogue } = await catalogues[language]()
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: language,
      fallbackLng: false,
      resources: { [language]: catalogue },
      defaultNS: 'shell',
      // React escapes.
      interpolation: { escapeValue: false },
      showSupportNotice: false,
    } as Parameters<typeof i18next.init>[0])
  } else {
    if (hasLaterTexts) await addLaterTexts(language)
    for (const [namespace, texts] of Object.entries(catalogue)) i18next.addResourceBundle(language, namespace, texts)
    await i18next.changeLanguage(language)
  }
  document.documentElement.lang = language
  localStorage.setItem(storageKey, language)
}

async function addLaterTexts(language: Language): Promise<void> {
  const { later } = await laterTexts[language]()
  for (const [namespace, texts] of Object.entries(later)) i18next.addResourceBundle(language, namespace, texts)
}

/** The script of a page, once its texts are there too. */
export async function withLaterTexts<T>(script: Promise<T>): Promise<T> {
  const [page] = await Promise.all([script, addLaterTexts(currentLanguage())])
  hasLaterTexts = true
  return page
}
