/** See vite.config.ts. */
declare module '*.json?first' {
  export const terms: unknown
  export const errors: unknown
}

declare module '*.json?onboarding' {
  export const terms: unknown
}
