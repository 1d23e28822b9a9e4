import { useEffect, useRef } from 'react'

/** What is said of a movement, in this order. The part of the page is in an element with `data-step`. */
export type Step = 'intake' | 'kind' | 'company' | 'person' | 'form'

const focusable = ':is(input:not([type="hidden"], [type="file"]), select, textarea, button):not(:disabled)'

/** Leads the keyboard to the first field of a part of the page. */
export function focusStep(step: Step): void {
  const part = document.querySelector(`[data-step="${step}"]`)
  const field =
    part?.querySelector<HTMLElement>('input[type="radio"]:checked') ?? part?.querySelector<HTMLElement>(focusable)
  field?.focus()
}

/** Whether the intake is still being typed. */
const isInIntake = (): boolean => document.activeElement?.closest('[data-step="intake"]') != null

/**
 * Leads the keyboard to what is to be said next, whenever something was chosen.
 * @param movement of which number it is: with another one it begins again.
 */
export function useStepFocus(step: Step, isIntakeEmpty: boolean, movement: number): void {
  const begun = useRef(-1)
  const shown = useRef(step)
  useEffect(() => {
    if (begun.current !== movement) focusStep(isIntakeEmpty ? 'intake' : step)
    else if (shown.current !== step && !isInIntake()) focusStep(step)
    begun.current = movement
    shown.current = step
  }, [movement, step, isIntakeEmpty])
}

/** The form has been loaded: it is the next, unless the intake is still being typed. */
export function useFormFocus(): void {
  useEffect(() => {
    if (!isInIntake()) focusStep('form')
  }, [])
}
