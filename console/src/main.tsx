import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app/console.css'
import { getDefaultZIndex, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createConsoleRouter } from './app/router.ts'
import { cssVariables, theme } from './app/theme.ts'
import { initialLanguage, startLanguage } from './language/language.ts'

/** The policy of the page admits style elements with this nonce only. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// The nonce of the library that locks the scroll position under dialogs.
setNonce(nonce)

const queryClient = createQueryClient()
const router = createConsoleRouter(queryClient)

await startLanguage(initialLanguage())
const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        {/* Below dialogs, so that no message covers a control of one: under the pointer it would not even end. */}
        <Notifications position="top-center" limit={3} zIndex={getDefaultZIndex('modal') - 1} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
