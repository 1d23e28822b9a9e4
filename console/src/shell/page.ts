import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { withLaterTexts } from '../language/language.ts'
import { shellRoute } from './root-routes.ts'
import { scriptOfPage } from './script-of-page.ts'

// The type of what it returns is unknown here: it depends on the routes.
type Script<Name extends string> = () => Promise<Readonly<Record<Name, unknown>>>
type SearchOf<Search> = (raw: Record<string, unknown>) => Search

/** A page behind the sign-in that needs only the texts of the first load. */
export const firstPage = <const Path extends string, Name extends string, Search extends object = object>(
  path: Path,
  script: Script<Name>,
  name: Name,
  searchOf?: SearchOf<Search>,
) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    ...(searchOf === undefined ? {} : { validateSearch: searchOf }),
    component: lazyRouteComponent(() => scriptOfPage(script()) as Promise<Record<Name, ComponentType>>, name),
  })

/**
 * A page behind the sign-in.
 * @param name of the component in the script.
 * @param searchOf reads the parameters of the address.
 */
export const page = <const Path extends string, Name extends string, Search extends object = object>(
  path: Path,
  script: Script<Name>,
  name: Name,
  searchOf?: SearchOf<Search>,
) => firstPage(path, () => withLaterTexts(script()), name, searchOf)
