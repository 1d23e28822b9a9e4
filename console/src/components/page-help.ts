import { createContext, type ReactNode } from 'react'

/** What helps with the pages of an area, beside their titles: the frame of the console knows it. */
export const PageHelp = createContext<ReactNode>(null)
