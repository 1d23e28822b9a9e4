import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@vigencia/client'
import { useCallback, useEffect, useState } from 'react'
import type { INTAKE_MEDIA } from '../../../../src/kernel/broker-enums.ts'
import { formatTime, saoPauloDay } from '../../format/date.ts'
import { parseTime } from '../../format/parse-time.ts'
import { pathOf } from '../../forms/field-errors.ts'

/** A file that shows how the request came. */
export interface Evidence {
  readonly file: File
  /** The document's; null: a request has it, the next one needs another document of the file. */
  readonly id: string | null
}

/** How a request came, as it is typed. It holds for the movements that follow, until it is cleared. */
export interface Intake {
  readonly medium: (typeof INTAKE_MEDIA)[number] | ''
  readonly day: string | null
  readonly time: string
  readonly name: string
  readonly contact: string
  readonly evidence: readonly Evidence[]
  /** What the service said of its fields. */
  readonly errors: Readonly<Record<string, string>>
}

/** That of a request that comes now. */
const newIntake = (): Intake => ({
  medium: '',
  day: saoPauloDay(new Date()),
  time: formatTime(new Date()),
  name: '',
  contact: '',
  evidence: [],
  errors: {},
})

const key = ['intake']

export interface IntakeState {
  readonly intake: Intake
  readonly change: (changed: Partial<Intake>) => void
  readonly clear: () => void
  /** What is typed now, for what is sent later. */
  readonly current: () => Intake
}

/**
 * The intake is kept beside what the service has sent: in memory, as long as the tab and the session. Names of people are in no storage of the browser.
 */
export function useIntake(): IntakeState {
  const queryClient = useQueryClient()
  const current = useCallback(() => queryClient.getQueryData<Intake>(key) ?? newIntake(), [queryClient])
  // The cache tells its readers later: fields that waited for it would lose what is typed fast.
  const [intake, setIntake] = useState(current)
  const change = useCallback(
    (changed: Partial<Intake>) => {
      const changedIntake = { ...current(), errors: {}, ...changed }
      queryClient.setQueryData<Intake>(key, changedIntake)
      setIntake(changedIntake)
    },
    [queryClient, current],
  )
  useEffect(() => {
    // Kept after the page is left.
    queryClient.setQueryDefaults(key, { gcTime: Infinity })
    queryClient.setQueryData<Intake>(key, current())
  }, [queryClient, current])
  return { intake, current, change, clear: () => change(newIntake()) }
}

/** As the service takes it. @param documents the ids of the evidence. */
export function sentIntake({ medium, day, time, name, contact }: Intake, documents: readonly string[]) {
  const minute = parseTime(time)
  return {
    ...(medium !== '' && { medium }),
    // Brazil has had no summer time since 2019.
    ...(day !== null && minute !== null && { 'received-at': `${day}T${minute}:00-03:00` }),
    ...(name.trim() !== '' && { 'requester-name': name.trim() }),
    ...(contact.trim() !== '' && { 'requester-contact': contact.trim() }),
    ...(documents.length > 0 && { documents }),
  }
}

/** What the service said of the fields of `intake`, by their names. */
export function intakeErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.flatMap(({ field, message }) => {
      const [parent, name] = pathOf(field).split('.')
      return parent === 'intake' && message !== undefined ? [[name ?? 'medium', message]] : []
    }),
  )
}
