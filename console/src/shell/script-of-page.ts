import { ConnectionError } from '@vigencia/client'

/**
 * The script of a page, which is loaded when the page is shown. Where that fails the page says so: for the browser's error the router would load
 * the document again, and without a network that would end the console.
 * @throws ConnectionError
 */
export function scriptOfPage<T>(script: Promise<T>): Promise<T> {
  return script.catch((error: unknown) => {
    throw new ConnectionError('The script of the page could not be loaded', error)
  })
}
