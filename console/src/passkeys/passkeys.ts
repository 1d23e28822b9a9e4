import { WebAuthnAbortService, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Result } from '@vigencia/client'
import { api } from '../api/client.ts'
import type { Session } from '../session/session.ts'

/* Loaded where a passkey is used. The options and what the browser makes of them are JSON of WebAuthn. */

/**
 * Asks the browser for a passkey and signs in with it.
 * @param isOffered among the suggestions for the e-mail address, in place of a dialog.
 * @throws Error of the browser, named `NotAllowedError` when the person cancelled or took too long.
 */
export async function signInByPasskey({ isOffered }: { readonly isOffered: boolean }): Promise<Session> {
  const options = await api.session.passkeyOptions()
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: isOffered })
  return api.session.createByPasskey({ credential: { ...credential } })
}

/** Ends an offer or a dialog of the browser. */
export function stopPasskeys(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** Asks the browser for a new passkey, and adds it to the own account. @throws as `signInByPasskey`. */
export async function addPasskey(name: string, password: string): Promise<Result<'createPasskey'>> {
  const options = await api.account.passkeyOptions({ 'current-password': password })
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const credential = await startRegistration({ optionsJSON })
  return api.account.addPasskey({ name, credential: { ...credential } })
}
