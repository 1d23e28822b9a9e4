import { ApiError } from '@vigencia/client'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '../session/session.ts'

/** Less than the challenge is valid. */
const renewedMs = 4 * 60_000

/**
 * Offers the passkeys of the service among the suggestions for the e-mail address, where the browser does so.
 * @returns the error of a passkey that was chosen there.
 */
export function usePasskeyOffer(isOn: boolean, onSignedIn: (session: Session) => void): Error | null {
  const [error, setError] = useState<Error | null>(null)
  const enter = useEffectEvent(onSignedIn)
  useEffect(() => {
    if (!isOn) return undefined
    let stop: (() => void) | null = null
    let isEnded = false
    const offer = async () => {
      const isKnown = (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false
      if (isEnded || !isKnown) return
      const { signInByPasskey, stopPasskeys } = await import('../passkeys/passkeys.ts')
      stop = stopPasskeys
      enter(await signInByPasskey({ isOffered: true }))
    }
    // What the browser says of an offer that the person did not take is no error.
    const begin = () => void offer().catch((reason: unknown) => reason instanceof ApiError && setError(reason))
    begin()
    const timer = setInterval(begin, renewedMs)
    return () => {
      isEnded = true
      clearInterval(timer)
      stop?.()
    }
  }, [isOn])
  return error
}
