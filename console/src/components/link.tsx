import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Of<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>

/** A link to a page of the console, of the size of the texts of lists. */
export const TextLink = createLink(({ size = 'sm', ...props }: Of<AnchorProps>) => <Anchor size={size} {...props} />)

/** A link to a page that looks like a button. */
export const ButtonLink = createLink((props: Of<ButtonProps>) => <Button component="a" {...props} />)
