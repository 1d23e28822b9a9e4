import { notifications, notificationsStore } from '@mantine/notifications'
import i18next from 'i18next'
import type { ReactNode } from 'react'

/**
 * Tells that something was done.
 * @param message of the catalogue.
 * @param act of which only the last message is shown; without it: the same message.
 */
export function notifyDone(message: ReactNode, act?: string): void {
  notify('green', message, act)
}

/** Tells that something could not be done. @param message of the catalogue. */
export function notifyFailed(message: string): void {
  notify('red', message)
}

/** Shows only the last message of one act: others do not pile up behind it. */
function notify(color: string, message: ReactNode, act = typeof message === 'string' ? message : ''): void {
  notifications.updateState(notificationsStore, (shown) => shown.filter((one) => one['data-act'] !== act))
  notifications.show({
    color,
    message,
    'data-act': act,
    closeButtonProps: { 'aria-label': i18next.t('states:close') },
  })
}
