import type icon from 'icon:dots'

/** An icon of any name. */
export type Icon = typeof icon
