import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

/** Tells that something was done. @param message of the catalogue. */
export function notifyDone(message: string): void {
  notifications.show({
    color: 'green',
    message,
    closeButtonProps: { 'aria-label': i18next.t('states:close') },
  })
}

/** Tells that something could not be done. @param message of the catalogue. */
export function notifyFailed(message: string): void {
  notifications.show({
    color: 'red',
    message,
    closeButtonProps: { 'aria-label': i18next.t('states:close') },
  })
}
