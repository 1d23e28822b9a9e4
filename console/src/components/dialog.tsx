import { Button, type ButtonProps, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A dialog over the page. @param props.isBusy it cannot be closed now. */
export function Dialog({ opened = true, isBusy = false, ...modal }: DialogProps) {
  const { t } = useTranslation('states')
  // Mantine returns the focus only where the dialog stays in the document.
  useEffect(() => {
    const opener = opened ? document.activeElement : null
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opened])
  return <Modal opened={opened} closeButtonProps={{ 'aria-label': t('close'), disabled: isBusy }} {...modal} />
}

type DialogProps = Omit<ModalProps, 'opened'> & { readonly opened?: boolean; readonly isBusy?: boolean }

/** A button that opens a dialog. @param props.dialog the dialog, while it is open. */
export function DialogButton(
  props: ButtonProps & { readonly dialog: (close: () => void) => ReactNode; readonly children: ReactNode },
) {
  const { dialog, ...button } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
