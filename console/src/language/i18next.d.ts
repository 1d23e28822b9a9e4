import 'i18next'
import type { catalogue } from './en/catalogue.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: typeof catalogue
  }
}
