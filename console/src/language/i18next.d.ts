import 'i18next'
import type { catalogue } from './en/catalogue.ts'
import type { later } from './en/later.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: typeof catalogue & typeof later
  }
}
