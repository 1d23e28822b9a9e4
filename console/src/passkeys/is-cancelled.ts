/** Whether the browser ended the dialog of a passkey without one: the person cancelled, or took too long. */
export function isCancelled(error: Error | null): boolean {
  return error?.name === 'NotAllowedError' || error?.name === 'AbortError'
}

/** Whether the browser says that the authenticator has a passkey of the person already. */
export function isKnownAuthenticator(error: Error | null): boolean {
  return error?.name === 'InvalidStateError'
}
